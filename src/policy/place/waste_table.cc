#include "policy/place/waste_table.h"

#include <algorithm>
#include <cmath>

namespace warpshare::place {

namespace {

// Pods that come by in the time a free part waits. From 4 to 64 the result hardly differs
// (docs/placement.md); 0 would be to look no further than the next pod.
constexpr double kOffers = 16;
// Milli of waste that make a taker e times less likely: placement puts pods where they waste
// little, but cannot always.
constexpr double kIndifference = 50;

// Waste behind the taker of `free`, in the mean; the smallest is close to it.
double WasteBehindTaker(const SizeMix& mix, const WasteTable& waste, uint32_t free) {
  double least = kLevels * kMilliPerLevel;
  for (uint32_t size = 1; size <= free; ++size)
    if (mix[size] > 0) least = std::min<double>(least, waste[free - size]);
  double chances = 0;
  double sum = 0;
  for (uint32_t size = 1; size <= free; ++size) {
    if (mix[size] <= 0) continue;
    const double chance = mix[size] * std::exp((least - waste[free - size]) / kIndifference);
    chances += chance;
    sum += chance * waste[free - size];
  }
  return sum / chances;
}

}  // namespace

WasteTable ExpectedWaste(const SizeMix& mix) {
  WasteTable waste = {};
  double takers = 0;
  for (uint32_t free = 1; free <= kLevels; ++free) {
    takers += mix[free];
    const double all = free * kMilliPerLevel;
    waste[free] = static_cast<float>(all);
    if (takers <= 0) continue;
    const double taken = 1 - std::exp(-kOffers * takers);
    waste[free] =
        static_cast<float>(taken * WasteBehindTaker(mix, waste, free) + (1 - taken) * all);
  }
  return waste;
}

}  // namespace warpshare::place

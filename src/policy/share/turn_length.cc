#include "policy/share/turn_length.h"

#include <algorithm>

#include "policy/share/terms.h"
#include "policy/share/timing.h"

namespace warpshare::share {

uint64_t QuantumNs(uint64_t handover_ns, size_t in_play) {
  const uint64_t lost_permille =
      std::min<uint64_t>(kLostOfEachPermille * std::max<size_t>(in_play, 2), kLostInAllPermille);
  return std::clamp(handover_ns * 1'000 / lost_permille, kQuantumNs, kMostQuantumNs);
}

// Owed `start`, it runs for start / (1 - share), after which its share grows back for
// start / share: that is what two handovers are a part of.
uint64_t StartNs(uint64_t handover_ns, uint32_t share_permille) {
  const uint64_t others_permille = kWholeCard - share_permille;
  const uint64_t start_ns =
      2 * handover_ns * share_permille * others_permille / kWholeCard / kLostInAllPermille;
  return std::clamp(start_ns, kStartNs,
                    kStartNs + kMostWaitToStartNs * share_permille / kWholeCard);
}

}  // namespace warpshare::share

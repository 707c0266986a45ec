// How much of a card's time the tenant's processes had of late, by what they publish of it on the
// usage page (abi/region/compute.h). That takes two looks, some time apart.
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"

namespace warpshare::interposer {

// What all processes that the tenant ever had were done with at a moment.
struct TimeLook {
  uint64_t at_ns;
  uint64_t done_ns;
};
TimeLook LookAtTime(const abi::UsagePageV1& usage, uint32_t card, uint64_t now_ns);

unsigned int PercentBetween(const TimeLook& from, const TimeLook& to);

// The looks at one card that later ones are compared with. Valid as zero bytes; one thread at a
// time.
class OwnTime {
 public:
  // Once; later ones change nothing.
  void Begin(const TimeLook& look) {
    if (newest_.at_ns == 0) older_ = newest_ = look;
  }
  // What to compare this one with: from half a second to a second ago, the one before if that is
  // longer ago, or the first.
  TimeLook Exchange(const TimeLook& look) {
    if (look.at_ns - newest_.at_ns >= kApartNs) {
      older_ = newest_;
      newest_ = look;
    }
    return older_;
  }

 private:
  static constexpr uint64_t kApartNs = 500'000'000;

  TimeLook older_;
  TimeLook newest_;
};

}  // namespace warpshare::interposer

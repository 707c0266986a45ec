// The time at a tick of the processor's counter, by the two last readings of both: pure arithmetic.
#pragma once

#include <cstdint>

namespace warpshare::guest {

// Both clocks at once, as nearly as they can be read.
struct TickReading {
  uint64_t tick;
  uint64_t ns;
};

// Zero is valid and knows nothing.
struct TickLine {
  static constexpr uint32_t kRateBits = 32;
  // For so long the line is good, and over at least as long its rate was taken: it is then off by
  // at most three times what a reading is. Over at most kMostNs the product of the rate fits.
  static constexpr uint64_t kGoodNs = 1'000'000;
  static constexpr uint64_t kMostNs = 2'000'000'000;

  TickReading from;
  uint64_t rate;  // ns a tick, in 1 / 2^kRateBits
  uint64_t span;  // ticks after `from` for which it is good; 0: none

  bool IsNew() const { return from.ns == 0; }

  // By one more reading; the same if that is too near for a rate.
  TickLine With(TickReading reading) const {
    if (IsNew()) return {.from = reading, .rate = 0, .span = 0};
    const uint64_t passed_ns = reading.ns - from.ns;
    const uint64_t passed = reading.tick - from.tick;
    if (passed_ns < kGoodNs) return *this;
    if (passed_ns > kMostNs || passed == 0) return {.from = reading, .rate = rate, .span = span};
    return {.from = reading,
            .rate = (passed_ns << kRateBits) / passed,
            .span = kGoodNs * passed / passed_ns};
  }
};

}  // namespace warpshare::guest

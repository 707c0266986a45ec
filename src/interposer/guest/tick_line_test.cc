#include "interposer/guest/tick_line.h"

#include <gtest/gtest.h>

namespace warpshare::guest {
namespace {

constexpr uint64_t kTicksANs = 3;
// What a reading may be off by, at 2 GHz; the other way round at its two ends.
constexpr uint64_t kOffNs = 500;

TickReading At(uint64_t ns) { return {.tick = 1'000 + ns * kTicksANs, .ns = ns}; }

uint64_t TimeAt(const TickLine& line, uint64_t tick) {
  return line.from.ns + ((tick - line.from.tick) * line.rate >> TickLine::kRateBits);
}

TEST(TickLine, KnowsNothingBeforeTwoReadingsThatAreFarApart) {
  const TickLine line = TickLine{}.With(At(10));
  EXPECT_EQ(line.span, 0u);
  EXPECT_EQ(line.With(At(10 + TickLine::kGoodNs - 1)).span, 0u);
  EXPECT_NE(line.With(At(10 + TickLine::kGoodNs)).span, 0u);
}

TEST(TickLine, IsOffByThreeTimesAReadingAtMostWhileItIsGood) {
  for (const uint64_t apart_ns : {1'000'000 + 2 * kOffNs, 1'500'000ul, 30'000'000ul}) {
    TickReading late = At(5'000'000);
    TickReading early = At(5'000'000 + apart_ns);
    late.ns += kOffNs;
    early.ns -= kOffNs;
    const TickLine line = TickLine{}.With(late).With(early);
    ASSERT_NE(line.span, 0u) << apart_ns;
    const uint64_t end_ns = 5'000'000 + apart_ns + line.span / kTicksANs;
    EXPECT_NEAR(TimeAt(line, At(end_ns).tick), end_ns, 3 * kOffNs + 1) << apart_ns;
  }
}

TEST(TickLine, KeepsItsRateOverALongTimeWithoutAReading) {
  const TickLine line = TickLine{}.With(At(10)).With(At(2'000'010));
  const uint64_t long_after_ns = TickLine::kMostNs + 5'000'000;
  const TickLine after = line.With(At(long_after_ns));
  EXPECT_EQ(after.rate, line.rate);
  EXPECT_EQ(after.from.ns, long_after_ns);
}

}  // namespace
}  // namespace warpshare::guest

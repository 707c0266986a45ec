#include "bench/share/truth/windows.h"

#include <gtest/gtest.h>

namespace warpshare::bench {
namespace {

constexpr Period kTwoSeconds = {.from_ns = kSecond, .to_ns = 3 * kSecond};

// Busy for `busy_ms` of every `every_ms`.
BusySeries Pulses(uint64_t busy_ms, uint64_t every_ms, uint64_t from_ns = 0) {
  std::vector<BusyPiece> pieces;
  for (uint64_t at = from_ns; at < 4 * kSecond; at += every_ms * kMs)
    pieces.push_back({.from_ns = at, .to_ns = at + busy_ms * kMs, .busy_ns = busy_ms * kMs});
  return BusySeries(pieces);
}

TEST(BusySeries, CountsWhatLiesWithin) {
  const BusySeries series({{.from_ns = 100, .to_ns = 200, .busy_ns = 100},
                           {.from_ns = 300, .to_ns = 500, .busy_ns = 100}});
  EXPECT_DOUBLE_EQ(series.BusyNs({.from_ns = 150, .to_ns = 400}), 100);
  EXPECT_EQ(series.Cumulative({.from_ns = 100, .to_ns = 500}, 100),
            (std::vector<double>{0, 100, 100, 150, 200}));
}

TEST(Windows, FindNoErrorInAnEvenShare) {
  const WindowError worst = WorstWindow(Pulses(2, 10), kTwoSeconds, kSecond, 0.2);
  EXPECT_NEAR(worst.Worst(), 0, 1e-9);
}

TEST(Windows, FindTheOneTenthThatWasTooMuch) {
  BusySeries series = Pulses(2, 10);
  series.Add(BusySeries(
      {{.from_ns = 2 * kSecond + 4 * kMs, .to_ns = 2 * kSecond + 9 * kMs, .busy_ns = 5 * kMs}}));
  const WindowError worst = WorstWindow(series, kTwoSeconds, 100 * kMs, 0.2);
  EXPECT_NEAR(worst.over_points, 5, 1e-9);
  EXPECT_NEAR(worst.under_points, 0, 1e-9);
}

TEST(Windows, LeaveOutThoseInWhichThreadsWaitedForAProcessor) {
  BusySeries series = Pulses(2, 10);
  const BusyPiece more = {
      .from_ns = 2 * kSecond + 4 * kMs, .to_ns = 2 * kSecond + 9 * kMs, .busy_ns = 5 * kMs};
  series.Add(BusySeries({more}));
  const BusySeries waits({{.from_ns = more.from_ns, .to_ns = more.to_ns, .busy_ns = kMs}});
  const auto worst = [&](double most_waits) {
    return WorstCalmWindow(series, waits, most_waits, kTwoSeconds, 100 * kMs, 0.2);
  };
  EXPECT_NEAR(worst(0.02).worst.over_points, 5, 1e-9);
  EXPECT_NEAR(worst(0.02).windows_percent, 100, 1e-9);
  EXPECT_LT(worst(0.005).worst.over_points, 3);
  EXPECT_NEAR(worst(0.005).windows_percent, 94.6, 0.5);
}

TEST(JainIndex, IsOneForEqualPartsAndLessForOthers) {
  EXPECT_DOUBLE_EQ(JainIndex({0.98, 0.98, 0.98}), 1);
  EXPECT_DOUBLE_EQ(JainIndex({1, 0}), 0.5);
}

TEST(ServiceLag, IsTheWaitBeforeAnEvenService) {
  // Waits 4 ms, then has 2 of every 4 ms, the first two at once.
  const BusySeries series = Pulses(2, 4, kSecond + 4 * kMs);
  const Period period = {.from_ns = kSecond, .to_ns = kSecond + 100 * kMs};
  EXPECT_NEAR(ServiceLagMs(series, period, 0.5), 4, 0.1);
}

TEST(CaughtUp, IsWhenTheShareOfTheWaitIsMadeUpFor) {
  // Waits 2 ms, then has the card: at 4 ms it has had half.
  const BusySeries series = Pulses(50, 100, kSecond + 2 * kMs);
  const Period period = {.from_ns = kSecond, .to_ns = kSecond + 100 * kMs};
  EXPECT_NEAR(CaughtUpAfterMs(series, period, 0.5), 4, 0.1);
}

TEST(SettledAfter, IsWhenTheLastWindowThatIsOffHasBegun) {
  BusySeries series = Pulses(2, 10, 2 * kSecond);  // nothing before that
  const double settled =
      SettledAfterMs({{.series = &series, .share = 0.2}}, kTwoSeconds, 100 * kMs, 3);
  EXPECT_NEAR(settled, 1000 - 15, 6);  // windows that lack less than 3 of their 20 ms are well
  EXPECT_NEAR(SettledAfterMs({{.series = &series, .share = 0.5}}, kTwoSeconds, 100 * kMs, 3), 2000,
              1e-9);
}

}  // namespace
}  // namespace warpshare::bench

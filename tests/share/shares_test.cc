// Every way to share a card, at small scale.
#include <algorithm>

#include "tests/share/share_fixture.h"

namespace warpshare::testing {
namespace {

using Shares = Share;

TEST_F(Shares, AHardCapHoldsOnAnIdleCard) {
  Scene scene(machine(), {Hard("quarter", 25, kKernels)}, 3);
  scene.Play();
  ExpectCapped(scene, 0, 25, 2);
  const auto worst = bench::WorstWindow(scene.SeriesOf(0), scene.Between(1, 3), 500 * kMs, 0.25);
  EXPECT_LT(worst.over_points, 3);
}

TEST_F(Shares, AHardCapHoldsGraphs) {
  Scene scene(machine(), {Hard("graphs", 30, {"--mode", "graph", "--depth", "4"})}, 2.5);
  scene.Play();
  ExpectCapped(scene, 0, 30, 5);
}

TEST_F(Shares, AHardCapHoldsCopies) {
  Scene scene(machine(), {Hard("copies", 30, {"--mode", "copy", "--depth", "16"})}, 2.5);
  scene.Play();
  ExpectCapped(scene, 0, 30, 5);
}

struct Work {
  const char* name;
  Words load;
};

class HardCap : public Share, public ::testing::WithParamInterface<Work> {};

TEST_P(HardCap, HoldsWhateverItRuns) {
  Scene scene(machine(), {Hard("capped", 30, GetParam().load)}, 2.5);
  scene.Play();
  ExpectCapped(scene, 0, 30, 3);
}

INSTANTIATE_TEST_SUITE_P(
    Work, HardCap,
    ::testing::Values(Work{"Kernels5us", {"--kernel", "5us", "--depth", "256"}},
                      Work{"Kernels2ms", {"--kernel", "2ms", "--depth", "8"}},
                      Work{"Bursts", {"--mode", "burst", "--burst", "2ms", "--period", "4ms"}},
                      Work{"Threads",
                           {"--mode", "threads", "--kernel", "20us", "--depth", "50", "--streams",
                            "12"}},
                      Work{"LaunchAndWait", {"--mode", "sync", "--kernel", "200us"}}),
    [](const auto& work) { return std::string(work.param.name); });

class Caps : public Share, public ::testing::WithParamInterface<int> {};

TEST_P(Caps, HoldFromTheSmallestToTheLargest) {
  Scene scene(machine(), {Hard("capped", GetParam(), kKernels)}, 3);
  scene.Play();
  ExpectCapped(scene, 0, GetParam(), 2);
}

INSTANTIATE_TEST_SUITE_P(Percent, Caps, ::testing::Values(5, 95),
                         ::testing::PrintToStringParamName());

// One is a fifth of a window of 100 ms, so only the mean can be held; the first second pays for it.
TEST_F(Shares, AHardCapHoldsKernelsThatAreLongerThanATurnInTheMean) {
  Scene scene(machine(), {Hard("long", 30, {"--kernel", "20ms", "--depth", "4"})}, 5);
  scene.Play();
  ExpectCapped(scene, 0, 30, 2);
}

// Nobody can tell at first whether they wait for what is held back behind them, so some are let
// through: one in 100 ms, until two have shown how long they are.
TEST_F(Shares, AHardCapHoldsKernelsThatAreLongerThanAnybodysPatience) {
  constexpr double kKernelSeconds = 0.3;
  constexpr double kLetThrough = 5;
  Scene scene(machine(), {Hard("long", 25, {"--kernel", "300ms", "--depth", "16"})}, 8);
  scene.Play();
  EXPECT_LE(scene.SeriesOf(0).Share(scene.whole()) * scene.whole().Seconds(),
            0.25 * scene.whole().Seconds() + kLetThrough * kKernelSeconds);
}

TEST_F(Shares, TwoHardTenantsHaveTheirPartsOfTheCard) {
  Scene scene(machine(), {Hard("a", 30, kKernels), Hard("b", 70, kKernels)}, 3);
  scene.Play();
  ExpectCapped(scene, 0, 30, 2);
  ExpectCapped(scene, 1, 70, 4);
  ExpectNothingLeft(scene);
}

// By the mean of its kernels it would have 23, and the card be idle for a twelfth of the time.
TEST_F(Shares, ATenantWhoseKernelsVaryHasItsPart) {
  const Words varying = {"--mode", "sync", "--kernel", "20us..2ms"};
  Scene scene(machine(),
              {Hard("a", 30, varying), Hard("b", 70, {"--kernel", "2ms", "--depth", "64"})}, 4);
  scene.Play();
  ExpectCapped(scene, 0, 30, 3);
  ExpectCapped(scene, 1, 70, 4);
  ExpectNothingLeft(scene);
}

// One of more threads than processors may get none for longer than a turn lasts. It was taken for
// gone then, and the others with it: this one had 5 to 60.
TEST_F(Shares, AProgramOfManyThreadsThatWaitReachesItsCap) {
  Scene scene(machine(),
              {Hard("threads", 80,
                    {"--mode", "threads", "--kernel", "20us", "--depth", "1", "--streams", "10"})},
              4);
  scene.Play();
  ExpectCapped(scene, 0, 80, 4);
}

// In turns of the usual length they would lose 7 % of the card.
TEST_F(Shares, TurnsAreLongerWhereTheCardIsSlowToSwitch) {
  Scene scene(machine(/*cards=*/1, "switch_cost = 400us\n"),
              {Hard("a", 50, kKernels), Hard("b", 50, kKernels)}, 4);
  scene.Play();
  ExpectCapped(scene, 0, 50, 3);
  ExpectCapped(scene, 1, 50, 3);
  ExpectNothingLeft(scene);
}

TEST_F(Shares, FourTenantsOfDifferentWorkAreEquallyNearTheirParts) {
  const std::vector<int> percent = {10, 20, 30, 40};
  Scene scene(machine(),
              {Hard("kernels", percent[0], kKernels),
               Hard("graphs", percent[1], {"--mode", "graph", "--kernel", "50us", "--depth", "8"}),
               Hard("copies", percent[2], {"--mode", "copy", "--depth", "16"}),
               Hard("long", percent[3], {"--kernel", "2ms", "--depth", "8"})},
              4);
  scene.Play();
  std::vector<double> parts;
  for (size_t i = 0; i < percent.size(); ++i) {
    ExpectCapped(scene, i, percent[i], 4);
    parts.push_back(Percent(scene, i) / percent[i]);
  }
  ExpectEqual(scene, parts);
  ExpectNothingLeft(scene);
}

// Each alone takes a third of the card, and in turns half of that.
TEST_F(Shares, ProgramsThatAreSlowerThanTheCardRunInEachOthersGaps) {
  const Words gaps = {"--mode", "gaps", "--kernel", "100us", "--gap", "200us", "--depth", "50"};
  Scene scene(machine(), {Hard("a", 50, gaps), Hard("b", 50, gaps)}, 3);
  scene.Play();
  for (size_t i = 0; i < 2; ++i) EXPECT_GT(Percent(scene, i), 25 - Away(scene)) << i;
}

TEST_F(Shares, EightTenantsHaveAnEighthEach) {
  std::vector<TenantPlan> plans;
  for (int i = 0; i < 8; ++i) plans.push_back(Weighted("t" + std::to_string(i), 1, kKernels));
  Scene scene(machine(), plans, 4);
  scene.Play();
  std::vector<double> parts;
  for (size_t i = 0; i < plans.size(); ++i) {
    ExpectShare(scene, i, 12.5, 2);
    parts.push_back(Percent(scene, i));
  }
  ExpectEqual(scene, parts);
  ExpectNothingLeft(scene);
}

TEST_F(Shares, WeightsDivideTheWholeCard) {
  Scene scene(machine(), {Weighted("a", 1, kKernels), Weighted("b", 3, kKernels)}, 3);
  scene.Play();
  ExpectShare(scene, 0, 25, 2);
  ExpectShare(scene, 1, 75, 4);
}

TEST_F(Shares, ASoftOwnerWhoComesBackHasItsShareAtOnce) {
  const Words sometimes = {"--kernel", "200us", "--mode",   "burst",
                           "--burst",  "100ms", "--period", "400ms"};
  Scene scene(machine(), {Soft("owner", 50, sometimes), Soft("other", 50, kKernels)}, 4);
  scene.Play();
  std::vector<double> lags;
  for (const auto& burst : scene.reports(0)[0].bursts) {
    const Period period = {.from_ns = burst.start_ns, .to_ns = burst.start_ns + 80 * kMs};
    if (period.to_ns < scene.whole().to_ns)
      lags.push_back(bench::ServiceLagMs(scene.SeriesOf(0), period, 0.5) -
                     Away(scene, period) / 100 * 80);
  }
  ASSERT_GE(lags.size(), 5u);
  std::sort(lags.begin(), lags.end());
  EXPECT_LT(lags[lags.size() / 2], 8) << "the median return, in ms";
  ExpectNothingLeft(scene);  // what the owner leaves, the other has
}

TEST_F(Shares, HighPriorityHardlyNoticesLow) {
  const Words bursts = {"--kernel", "200us", "--mode",   "burst",
                        "--burst",  "2ms",   "--period", "20ms"};
  Scene scene(machine(), {Priority("high", "high", bursts), Priority("low", "low", kKernels)}, 3);
  scene.Play();
  EXPECT_LT(scene.reports(0)[0].p50_us, 2000 + 200 + 500) << "without shares, twice as long";
  EXPECT_GT(Percent(scene, 1), 0.7 * (100 - Percent(scene, 0)) - Away(scene))
      << "low has what is left";
}

TEST_F(Shares, HighPriorityWaitsForOneLongKernelOfLowAtMost) {
  const Words bursts = {"--kernel", "200us", "--mode",   "burst",
                        "--burst",  "2ms",   "--period", "20ms"};
  Scene scene(machine(),
              {Priority("high", "high", bursts),
               Priority("low", "low", {"--kernel", "2ms", "--depth", "16"})},
              3);
  scene.Play();
  EXPECT_LT(scene.reports(0)[0].p50_us, 2000 + 2000 + 500);
  EXPECT_GT(Percent(scene, 1), 0.7 * (100 - Percent(scene, 0)) - Away(scene))
      << "low has what is left";
}

TEST_F(Shares, ProcessesOfATenantHaveOneAccount) {
  TenantPlan many = Hard("many", 25, kKernels);
  many.processes = 4;
  Scene scene(machine(), {many}, 4);
  scene.Play();
  ExpectCapped(scene, 0, 25, 3);
  EXPECT_LT(100 * scene.SeriesOf(0).Share(scene.Between(0, 1)), 32) << "no burst for each";
}

TEST_F(Shares, MemoryAndComputeAreHeldTogether) {
  TenantPlan modest = Hard("modest", 25, kKernels);
  modest.terms.insert(modest.terms.end(), {"--memory", "1GiB"});
  modest.load.insert(modest.load.end(), {"--memory", std::to_string(900 << 20)});
  Scene scene(machine(), {modest}, 2.5);
  scene.Play();
  ExpectCapped(scene, 0, 25, 3);
  const Ran greedy = RunProgram(
      {machine().build().Program("warpshare"), "run", "--sim", "--memory", "1GiB", "--cores", "25",
       "--", machine().build().Program("share_load"), "--memory", std::to_string(1100 << 20)},
      machine().Tenant());
  EXPECT_NE(greedy.err.find("cuMemAlloc: error 2"), std::string::npos) << greedy.err;
}

TEST_F(Shares, EachCardHasAnAccountOfItsOwn) {
  Words second = kKernels;
  second.insert(second.end(), {"--device", "1"});
  Scene scene(machine(2), {Hard("both", 30, kKernels), Hard("both", 30, second)}, 2.5);
  scene.Play();
  ExpectCapped(scene, 0, 30, 3, 0);
  ExpectCapped(scene, 1, 30, 3, 1);
}

}  // namespace
}  // namespace warpshare::testing

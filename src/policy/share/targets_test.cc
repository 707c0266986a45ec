// The targets that the policies are made for, held in simulated time. Windows are those of the
// card's own record, from the first second on unless said otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "policy/share/testing/simulation.h"

namespace warpshare::share {
namespace {

constexpr uint64_t k20MsKernel = 20 * kMs;

Terms Hard(uint32_t permille) { return {.mode = Mode::kHard, .share_permille = permille}; }
Terms Soft(uint32_t permille) { return {.mode = Mode::kSoft, .share_permille = permille}; }
Terms Weighted(uint32_t weight) { return {.mode = Mode::kWeighted, .weight = weight}; }
constexpr Terms kHigh{.mode = Mode::kPriority, .priority = Priority::kHigh};
constexpr Terms kLow{.mode = Mode::kPriority, .priority = Priority::kLow};

// Of parts that should be in the ratio of `shares`: 1 if they are, less if not.
double Jain(const std::vector<double>& parts, const std::vector<double>& shares) {
  double sum = 0;
  double squares = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const double got = parts[i] / shares[i];
    sum += got;
    squares += got * got;
  }
  return sum * sum / (static_cast<double>(parts.size()) * squares);
}

uint64_t Percentile(std::vector<uint64_t> times, size_t percent) {
  std::ranges::sort(times);
  return times[times.size() * percent / 100];
}

TEST(Targets, AHardCapHoldsOverEverySecondAndEveryTenth) {
  for (const uint32_t cap : {50u, 100u, 300u, 500u, 700u, 900u, 950u}) {
    for (const Load& load :
         {Load{.kernel_ns = 5 * kUs}, Load{.kernel_ns = 200 * kUs}, Load{.kernel_ns = 2 * kMs},
          Load{.kernel_ns = 700 * kUs}, Load{.kernel_ns = 200 * kUs, .gap_ns = 8 * kUs},
          Load{.kernel_ns = 200 * kUs, .burst_kernels = 500, .period_ns = 103 * kMs}}) {
      Simulation simulation({{Hard(cap), load}});
      simulation.RunUntil(4 * kSecond);
      const double share = std::min(cap / 1000., 200. / 208);  // what the launches leave of a card
      EXPECT_LE(simulation.WorstError(0, share, kSecond, kSecond), 1)
          << cap << ' ' << load.kernel_ns;
      EXPECT_LE(simulation.WorstError(0, share, 100 * kMs, kSecond), 3)
          << cap << ' ' << load.kernel_ns;
    }
  }
}

TEST(Targets, AHardCapHoldsToOneLongKernelAndOnAverage) {
  for (const uint32_t cap : {50u, 300u, 500u, 700u, 950u}) {
    Simulation simulation({{Hard(cap), {.kernel_ns = k20MsKernel}}});
    simulation.RunUntil(11 * kSecond);
    EXPECT_LE(simulation.WorstError(0, cap / 1000., kSecond, kSecond), 2) << cap;
    EXPECT_LE(simulation.WorstError(0, cap / 1000., 100 * kMs, kSecond), 20) << cap;
    EXPECT_NEAR(simulation.Share(0, kSecond, 11 * kSecond), cap / 1000., 0.01) << cap;
  }
}

// Its program is too slow for its cap for a while, as when something else has its processor.
TEST(Targets, WhatAProgramWasTooSlowForIsNotTakenAllAtOnceLater) {
  for (const uint64_t slow_ns : {20 * kMs, 100 * kMs, 1500 * kMs}) {
    Simulation simulation(
        {{Hard(800),
          {.kernel_ns = 5 * kUs, .gap_ns = 300, .slow_gap_ns = 2 * kUs, .slow_ns = slow_ns}}});
    simulation.RunUntil(6 * kSecond);
    EXPECT_LE(simulation.WorstExcess(0, 0.8, 100 * kMs, kSecond), 3) << slow_ns;
    EXPECT_LE(simulation.WorstExcess(0, 0.8, kSecond, kSecond), 1) << slow_ns;
  }
}

TEST(Targets, AWholeCardIsNeverTakenAway) {
  Simulation simulation({{Hard(1000), {.kernel_ns = 5 * kUs}}});
  simulation.RunUntil(2 * kSecond);
  EXPECT_GE(simulation.Share(0, kSecond, 2 * kSecond), 0.999);
  EXPECT_LE(simulation.decisions(), 2u * 25);
}

// Tenants whose shares add up to the card, any kernels up to 2 ms.
std::vector<Player> FullCard(std::mt19937& random, bool soft_too) {
  const size_t count = 2 + random() % 7;
  std::vector<Player> players;
  uint32_t left = kWholeCard;
  for (size_t i = 0; i < count; ++i) {
    const auto others = static_cast<uint32_t>(50 * (count - 1 - i));
    const uint32_t share = i + 1 == count ? left : 50 + random() % (left - others - 49);
    left -= share;
    const uint64_t kernels[] = {5 * kUs, 200 * kUs, 2 * kMs};
    players.push_back({soft_too && random() % 2 == 0 ? Soft(share) : Hard(share),
                       {.kernel_ns = kernels[random() % 3], .from_ns = random() % kMs}});
  }
  return players;
}

TEST(Targets, SharesOfAFullCardHoldWhateverRunsThere) {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const std::vector<Player> players = FullCard(random, /*soft_too=*/round % 2 == 1);
    Simulation simulation(players);
    simulation.RunUntil(3 * kSecond);
    std::vector<double> parts;
    std::vector<double> shares;
    for (size_t i = 0; i < players.size(); ++i) {
      shares.push_back(players[i].terms.share_permille / 1000.);
      parts.push_back(simulation.Share(i, kSecond, 3 * kSecond));
      EXPECT_LE(simulation.WorstError(i, shares[i], kSecond, kSecond), 1) << round << ' ' << i;
    }
    EXPECT_GE(Jain(parts, shares), 0.99) << round;
    EXPECT_GE(simulation.Busy(kSecond, 3 * kSecond), 2 * kSecond / 100 * 97) << round;
  }
}

// As a card has it that saves one context and loads another. Some seconds are worse than the mean,
// by what a turn is long.
TEST(Targets, SharesOfAFullCardHoldWhereEachHandoverCostsALot) {
  const std::vector<std::vector<uint32_t>> cards = {
      {300, 700}, {500, 500}, {50, 950}, {100, 200, 300, 400}, std::vector<uint32_t>(8, 125)};
  for (const uint64_t handover_ns : {100 * kUs, 200 * kUs}) {
    for (const std::vector<uint32_t>& shares : cards) {
      std::vector<Player> players;
      for (const uint32_t share : shares) players.push_back({Hard(share), {}});
      Simulation simulation(players, handover_ns);
      simulation.RunUntil(6 * kSecond);
      for (size_t i = 0; i < shares.size(); ++i) {
        const double share = shares[i] / 1000.;
        EXPECT_NEAR(simulation.Share(i, kSecond, 6 * kSecond), share, 0.01)
            << handover_ns << ' ' << shares.size() << ' ' << i;
        EXPECT_LE(simulation.WorstError(i, share, kSecond, kSecond), 1.5);
      }
      EXPECT_GE(simulation.Busy(kSecond, 6 * kSecond), 5 * kSecond / 100 * 97) << shares.size();
    }
  }
}

TEST(Targets, AShareBesideOneThatTakesTheRestLeavesTheCardBusyWhereEachHandoverCostsALot) {
  for (const uint32_t share : {50u, 300u, 500u, 800u}) {
    Simulation simulation({{Hard(share), {}}, {Weighted(1), {}}}, 200 * kUs);
    simulation.RunUntil(3 * kSecond);
    EXPECT_NEAR(simulation.Share(0, kSecond, 3 * kSecond), share / 1000., 0.01) << share;
    EXPECT_GE(simulation.Busy(kSecond, 3 * kSecond), 2 * kSecond / 100 * 97) << share;
  }
}

TEST(Targets, SharesHoldNextToKernelsOf20Ms) {
  const uint64_t kernels[] = {5 * kUs, 200 * kUs, 2 * kMs, k20MsKernel};
  std::vector<Player> players;
  for (size_t i = 0; i < 8; ++i) players.push_back({Hard(125), {.kernel_ns = kernels[i % 4]}});
  Simulation simulation(players);
  simulation.RunUntil(11 * kSecond);
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_NEAR(simulation.Share(i, kSecond, 11 * kSecond), 0.125, 0.01);
    EXPECT_LE(simulation.WorstError(i, 0.125, kSecond, kSecond), i % 4 == 3 ? 2 : 1);
  }
  EXPECT_GE(simulation.Busy(kSecond, 11 * kSecond), 10 * kSecond / 100 * 97);
}

TEST(Targets, WeightsDivideTheCardWhateverTheKernels) {
  const std::vector<double> weights = {1, 3, 4, 8};
  Simulation simulation({{Weighted(1), {.kernel_ns = 5 * kUs}},
                         {Weighted(3), {.kernel_ns = k20MsKernel}},
                         {Weighted(4), {.kernel_ns = 2 * kMs}},
                         {Weighted(8), {.kernel_ns = 200 * kUs}}});
  simulation.RunUntil(9 * kSecond);
  std::vector<double> parts;
  for (size_t i = 0; i < 4; ++i) {
    parts.push_back(simulation.Share(i, kSecond, 9 * kSecond));
    EXPECT_NEAR(parts[i], weights[i] / 16, 0.01);
  }
  EXPECT_GE(Jain(parts, weights), 0.999);
  EXPECT_GE(simulation.Busy(kSecond, 9 * kSecond), 8 * kSecond / 100 * 97);
}

TEST(Targets, WhatGuaranteesLeaveGoesByWeight) {
  Simulation simulation({{Hard(300), {}}, {Soft(300), {}}, {Weighted(2), {}}, {kLow, {}}});
  simulation.RunUntil(3 * kSecond);
  const double all =
      simulation.Share(0, kSecond, 3 * kSecond) + simulation.Share(1, kSecond, 3 * kSecond) +
      simulation.Share(2, kSecond, 3 * kSecond) + simulation.Share(3, kSecond, 3 * kSecond);
  EXPECT_LE(simulation.WorstError(0, 0.3, kSecond, kSecond), 1);
  EXPECT_NEAR(simulation.Share(1, kSecond, 3 * kSecond), 0.3 + (all - 0.6) / 4, 0.01);
  EXPECT_NEAR(simulation.Share(2, kSecond, 3 * kSecond), (all - 0.6) / 2, 0.01);
  EXPECT_NEAR(simulation.Share(3, kSecond, 3 * kSecond), (all - 0.6) / 4, 0.01);
  EXPECT_GE(all, 0.97);
}

TEST(Targets, WhoeverComesBackIsServedSoonWhereEachHandoverCostsALot) {
  for (const Terms& terms : {Soft(300), Hard(300)}) {
    for (uint64_t late_ns = 0; late_ns < 30 * kMs; late_ns += 970 * kUs) {
      const Load owner = {.from_ns = 2 * kSecond + late_ns};
      Simulation simulation({{terms, owner}, {Soft(200), {}}, {Weighted(1), {}}}, 200 * kUs);
      simulation.RunUntil(3 * kSecond);
      const uint64_t back_ns = owner.from_ns / kMs * kMs;
      // A hard one comes with less than a turn's worth, and interrupts no share.
      const uint64_t soon_ns = terms.mode == Mode::kSoft ? 5 * kMs : 8 * kMs;
      EXPECT_GT(simulation.Used(0, back_ns, back_ns + soon_ns), 0u) << late_ns;
    }
  }
}

TEST(Targets, ASoftOwnerThatComesBackHasItsShareWithin5Ms) {
  for (size_t others = 1; others < 8; ++others) {
    for (const uint64_t kernel_ns : {5 * kUs, 200 * kUs, 2 * kMs}) {
      std::vector<Player> players = {
          {Soft(300), {.kernel_ns = kernel_ns, .from_ns = 2 * kSecond + 300 * kUs}}};
      for (size_t i = 0; i < others; ++i)
        players.push_back({Soft(static_cast<uint32_t>(700 / others)),
                           {.kernel_ns = i % 2 == 0 ? 2 * kMs : 200 * kUs}});
      Simulation simulation(players);
      simulation.RunUntil(4 * kSecond);
      const uint64_t back_ns = 2 * kSecond;
      EXPECT_GT(simulation.Used(0, back_ns, back_ns + 5 * kMs), 0u);
      EXPECT_GE(simulation.Share(0, back_ns, back_ns + 100 * kMs), 0.27);
      EXPECT_LE(simulation.WorstError(0, 0.3, kSecond, back_ns), 1);
      EXPECT_GE(simulation.Busy(kSecond, back_ns), kSecond / 100 * 97);
    }
  }
}

// As far behind as the card's milliseconds tell: within 5 ms it has had its share of them.
TEST(Targets, ASoftOwnerThatComesBackToGuaranteedTenantsHasCaughtUpWithin5Ms) {
  for (uint64_t late_ns = 0; late_ns < 7 * kMs; late_ns += 130 * kUs) {
    const Load load = {.in_flight_ns = 2 * kMs};
    Load owner = load;
    owner.from_ns = 2 * kSecond + late_ns;
    Simulation simulation(
        {{Soft(400), owner}, {Soft(200), load}, {Soft(200), load}, {Soft(200), load}});
    simulation.RunUntil(3 * kSecond);
    const uint64_t back_ns = owner.from_ns / kMs * kMs + kMs;
    EXPECT_GE(simulation.Used(0, back_ns, back_ns + 5 * kMs), 2 * kMs) << late_ns;
  }
}

TEST(Targets, AHighPriorityHardlyNoticesALowOneThatGetsTheGaps) {
  const Load bursts{
      .kernel_ns = 100 * kUs, .from_ns = 3'456'789, .burst_kernels = 20, .period_ns = 20 * kMs + 7};
  for (const uint64_t low_kernel_ns : {200 * kUs, 2 * kMs}) {
    Simulation simulation({{kHigh, bursts}, {kLow, {.kernel_ns = low_kernel_ns}}});
    simulation.RunUntil(5 * kSecond);
    EXPECT_LE(Percentile(simulation.BurstTimes(0), 99), 2 * kMs / 100 * 105 + low_kernel_ns);
    const double left = 1 - simulation.Share(0, kSecond, 5 * kSecond);
    EXPECT_GE(simulation.Share(1, kSecond, 5 * kSecond), 0.9 * left);
  }
}

TEST(Targets, AHighPriorityThatWaitsForEachKernelIsNotInterruptedByThem) {
  // Bursts of 2 ms, in 20 steps that the program waits for, every 20 ms.
  const Load steps{.kernel_ns = 100 * kUs, .gap_ns = 20 * kUs};
  Simulation simulation({{kHigh, steps}, {kLow, {.kernel_ns = 2 * kMs}}});
  simulation.RunUntil(2 * kSecond);
  EXPECT_GE(simulation.Share(0, kSecond, 2 * kSecond), 0.99 * 100 / 120);
}

TEST(Targets, GuaranteesShrinkInProportionWhenThereIsLessToGive) {
  Simulation promised_twice(
      {{Hard(800), {}}, {Soft(800), {.kernel_ns = 2 * kMs}}, {Hard(400), {}}});
  promised_twice.RunUntil(3 * kSecond);
  const double whole = 0.98;
  EXPECT_NEAR(promised_twice.Share(0, kSecond, 3 * kSecond), whole * 0.4, 0.01);
  EXPECT_NEAR(promised_twice.Share(1, kSecond, 3 * kSecond), whole * 0.4, 0.01);
  EXPECT_NEAR(promised_twice.Share(2, kSecond, 3 * kSecond), whole * 0.2, 0.01);

  Simulation under_high({{kHigh, {.burst_kernels = 60, .period_ns = 20 * kMs}},
                         {Hard(400), {.kernel_ns = 2 * kMs}},
                         {Hard(200), {}}});
  under_high.RunUntil(3 * kSecond);
  EXPECT_NEAR(under_high.Share(1, kSecond, 3 * kSecond),
              2 * under_high.Share(2, kSecond, 3 * kSecond), 0.01);
}

TEST(Targets, OthersAreBackOnTargetSoonAfterAnyChange) {
  Simulation simulation({{Hard(500), {.kernel_ns = 200 * kUs}},
                         {Hard(300), {.kernel_ns = 2 * kMs}},
                         {Soft(200), {.kernel_ns = 5 * kUs}}});
  const auto expect_after = [&](const char* what, uint64_t change_ns, std::vector<double> shares) {
    const uint64_t from_ns = change_ns + 200 * kMs;
    for (size_t i = 0; i < shares.size(); ++i)
      EXPECT_NEAR(simulation.Share(i, from_ns, from_ns + kSecond), shares[i], 0.01) << what << i;
  };
  simulation.RunUntil(2 * kSecond);
  simulation.Promise(0, Hard(200));
  simulation.Promise(1, Hard(600));
  simulation.RunUntil(4 * kSecond);
  expect_after("limits changed", 2 * kSecond, {0.2, 0.6, 0.2});
  simulation.Kill(1);
  simulation.RunUntil(6 * kSecond);
  expect_after("one died", 4 * kSecond, {0.2, 0, 0.79});
  simulation.Join({Hard(600), {.kernel_ns = 2 * kMs}});
  simulation.RunUntil(8 * kSecond);
  expect_after("one came", 6 * kSecond, {0.2, 0, 0.2, 0.6});
}

TEST(Targets, BurstCreditBoundsWhatAReturningTenantGetsBeyondItsShare) {
  const auto used_by = [](uint64_t burst_ns, uint64_t window_ns) {
    Terms terms = Hard(300);
    terms.burst_ns = burst_ns;
    Simulation simulation({{terms, {.from_ns = kSecond}}, {Weighted(1), {}}});
    simulation.RunUntil(3 * kSecond);
    return simulation.Used(0, kSecond, kSecond + window_ns);
  };
  EXPECT_LE(used_by(0, 300 * kMs), 90 * kMs + 3 * kMs);
  EXPECT_GE(used_by(100 * kMs, 300 * kMs), 90 * kMs + 97 * kMs);
  EXPECT_LE(used_by(100 * kMs, 300 * kMs), 90 * kMs + 103 * kMs);
}

TEST(Targets, ABurstIsNotTakenFromTheSharesOfOthers) {
  Terms bursting = Hard(300);
  bursting.burst_ns = 200 * kMs;
  Simulation simulation({{bursting, {.from_ns = 2 * kSecond}}, {Hard(700), {}}});
  simulation.RunUntil(4 * kSecond);
  EXPECT_LE(simulation.WorstError(1, 0.7, kSecond, kSecond), 1);
}

TEST(Targets, ALatencyTargetMovesATenantUpButNotBeyondItsShare) {
  for (const Terms& terms : {Weighted(1), Hard(125)}) {
    // The first asks for a little less than its eighth, in bursts; the second for all it can get.
    std::vector<Player> players(8, Player{terms, {.kernel_ns = 2 * kMs}});
    players[0].load = {.kernel_ns = 200 * kUs, .burst_kernels = 18, .period_ns = 31 * kMs + 77};
    Simulation without(players);
    without.RunUntil(6 * kSecond);
    players[0].terms.latency_target_ns = 4 * kMs;
    players[1].terms.latency_target_ns = 4 * kMs;
    Simulation with(players);
    with.RunUntil(6 * kSecond);
    EXPECT_LE(Percentile(with.BurstTimes(0), 90), Percentile(without.BurstTimes(0), 90) / 4 * 3);
    EXPECT_NEAR(with.Share(1, kSecond, 6 * kSecond), without.Share(1, kSecond, 6 * kSecond), 0.005);
  }
}

TEST(Targets, ManySmallSharesLeaveTheCardBusy) {
  for (const Terms& terms : {Hard(100), Soft(100)}) {
    std::vector<Player> players(9, Player{terms, {.kernel_ns = 5 * kUs}});
    players.push_back({Weighted(1), {}});
    Simulation simulation(players);
    simulation.RunUntil(2 * kSecond);
    EXPECT_GE(simulation.Busy(kSecond, 2 * kSecond), kSecond / 100 * 97);
    EXPECT_LE(simulation.decisions(), 2u * 2'000);
  }
}

// Its thread needs the time between two kernels, or is late by it.
TEST(Targets, AShareHoldsForAProgramThatPausesAfterEachOfItsKernels) {
  for (const uint64_t gap_ns : {20 * kUs, 110 * kUs, 300 * kUs, 500 * kUs, kMs}) {
    Simulation simulation({{Hard(100), {.kernel_ns = 5 * kUs}},
                           {Hard(200), {.kernel_ns = 2 * kMs, .gap_ns = gap_ns}},
                           {Hard(300), {}},
                           {Hard(400), {.kernel_ns = 2 * kMs}}});
    simulation.RunUntil(6 * kSecond);
    for (size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(simulation.Share(i, kSecond, 6 * kSecond), 0.1 * static_cast<double>(i + 1), 0.01)
          << gap_ns << ' ' << i;
  }
}

// Short kernels, long pauses: it cannot have its half, but it has what fits between the others'
// turns, and they have theirs.
TEST(Targets, AProgramWhosePausesAreAsLongAsItsKernelsHasTurnsBetweenTheOthers) {
  Simulation simulation({{Hard(500), {.gap_ns = 150 * kUs}}, {Hard(500), {}}});
  simulation.RunUntil(6 * kSecond);
  EXPECT_GE(simulation.Share(0, kSecond, 6 * kSecond), 0.25);
  EXPECT_NEAR(simulation.Share(1, kSecond, 6 * kSecond), 0.5, 0.01);
}

TEST(Targets, NobodyHoldsTheCardWithoutUsingIt) {
  // Busy a third of the time when it has the card to itself.
  Simulation simulation(
      {{Hard(500), {.kernel_ns = 5 * kUs, .gap_ns = 10 * kUs}}, {Weighted(1), {}}});
  simulation.RunUntil(2 * kSecond);
  EXPECT_GE(simulation.Share(0, kSecond, 2 * kSecond), 0.2);
  EXPECT_GE(simulation.Share(1, kSecond, 2 * kSecond), 0.3);
}

}  // namespace
}  // namespace warpshare::share

#include "node/arbiter/card_arbiter.h"

#include <gtest/gtest.h>

#include <utility>

#include "node/arbiter/testing/card_play.h"
#include "node/arbiter/timing.h"

namespace warpshare::node {
namespace {

using Mode = abi::ComputeMode;
constexpr uint64_t kFrom = 2 * kSecond;  // the play begins at 1 s
constexpr uint64_t kTo = 4 * kSecond;

TEST(CardArbiter, AHardCapHoldsOnAnIdleCard) {
  for (const uint32_t cap : {50u, 300u, 700u, 950u}) {
    for (const uint64_t kernel_ns : {20 * kUs, 200 * kUs, 2 * kMs}) {
      CardPlay play;
      play.Join(Mode::kHard, cap, {.kernel_ns = kernel_ns});
      play.RunUntil(kTo);
      EXPECT_NEAR(play.Share(0, kFrom, kTo), cap / 1000., 0.01) << cap << ' ' << kernel_ns;
    }
  }
}

TEST(CardArbiter, AHardCapHoldsForKernelsThatAreLongerThanATurn) {
  for (const uint32_t cap : {50u, 250u, 800u, 950u}) {
    CardPlay play;
    play.Join(Mode::kHard, cap, {.kernel_ns = 20 * kMs});
    play.RunUntil(8 * kSecond);
    EXPECT_NEAR(play.Share(0, kFrom, 8 * kSecond), cap / 1000., 0.01) << cap;
  }
}

// As on few processors: the arbiter's thread takes that of a program that waits for each of its
// kernels.
TEST(CardArbiter, AHardCapHoldsForAProgramThatEveryLookStops) {
  CardPlay play;
  play.Join(Mode::kHard, 250, {.kernel_ns = 200 * kUs, .ahead_ns = 0});
  play.Lie(0, [](FakePages& pages, uint64_t now_ns) {
    if (pages.MayRun()) pages.Work(0).busy_until_ns = now_ns - 10 * kUs;
  });
  play.RunUntil(kTo);
  for (uint64_t from_ns = kFrom; from_ns + 100 * kMs <= kTo; from_ns += 10 * kMs)
    EXPECT_NEAR(play.Share(0, from_ns, from_ns + 100 * kMs), 0.25, 0.03) << from_ns / kMs;
}

TEST(CardArbiter, AHardCapHoldsThoughTheArbiterIsLate) {
  CardPlay play;
  play.Join(Mode::kHard, 250, {.kernel_ns = 20 * kUs, .ahead_ns = 100 * kUs});
  for (uint64_t at_ns = kSecond; at_ns < kTo; at_ns += 103 * kMs) {
    play.RunUntil(at_ns);
    play.HoldArbiterUntil(at_ns + 20 * kMs);
  }
  for (uint64_t from_ns = kFrom; from_ns + 100 * kMs <= kTo - 103 * kMs; from_ns += 5 * kMs) {
    EXPECT_LE(play.Share(0, from_ns, from_ns + 100 * kMs), 0.28) << from_ns / kMs;
    EXPECT_GE(play.Share(0, from_ns, from_ns + 100 * kMs), 0.18) << from_ns / kMs;
  }
}

TEST(CardArbiter, OnlyATurnWithACapEndsByItself) {
  for (const auto& [mode, share] : {std::pair(Mode::kHard, 999u),
                                    {Mode::kHard, 1000u},
                                    {Mode::kSoft, 300u},
                                    {Mode::kNone, 300u}}) {
    CardPlay play;
    play.Join(mode, share, {});
    play.RunUntil(kFrom);
    EXPECT_EQ(play.pages(0).card().turn.ends_ns > kFrom, share == 999u);
    EXPECT_EQ(play.pages(0).card().turn.ends_ns == 0, share != 999u);
  }
}

TEST(CardArbiter, WhoseTurnWasOverIsWokenWhenItGoesOn) {
  CardPlay play;
  play.Join(Mode::kHard, 900, {.kernel_ns = 20 * kUs});
  play.RunUntil(kFrom);
  while (!play.pages(0).MayRun()) play.RunUntil(play.now_ns() + 1);
  const uint64_t wakes = play.wakes();
  play.arbiter().Step(play.now_ns());
  EXPECT_EQ(play.wakes(), wakes);
  play.pages(0).Work(0).waits_since_ns = play.now_ns();
  play.arbiter().Step(play.now_ns());
  EXPECT_EQ(play.wakes(), wakes + 1);
}

TEST(CardArbiter, SharesOfAFullCardHoldAndTenantsOverlapByAHandoverAtMost) {
  CardPlay play;
  const uint32_t shares[] = {500, 300, 150, 50};
  const uint64_t kernels[] = {200 * kUs, 2 * kMs, 20 * kUs, 500 * kUs};
  for (size_t i = 0; i < 4; ++i)
    play.Join(i % 2 == 0 ? Mode::kHard : Mode::kSoft, shares[i], {.kernel_ns = kernels[i]});
  play.RunUntil(kTo);
  double busy = 0;
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(play.Share(i, kFrom, kTo), shares[i] / 1000., 0.01) << i;
    busy += play.Share(i, kFrom, kTo);
  }
  EXPECT_GE(busy, 0.97);
  EXPECT_EQ(play.most_odd_words(), 1u);
  EXPECT_EQ(play.overlaps(), 0u);
}

TEST(CardArbiter, ATenantAloneIsNotHeldBackAndNotWokenAgain) {
  CardPlay play;
  play.Join(Mode::kWeighted, 0, {.burst_kernels = 3, .period_ns = 30 * kMs});
  play.Join(Mode::kWeighted, 0, {.from_ns = 100 * kSecond});
  play.RunUntil(kFrom);
  const uint64_t wakes = play.wakes();
  play.RunUntil(kTo);
  EXPECT_EQ(play.wakes(), wakes);
  EXPECT_NEAR(play.Share(0, kFrom, kTo), 0.6 / 30, 0.001);
}

TEST(CardArbiter, ASoftOwnerThatComesBackHasTheCardWithin5Ms) {
  CardPlay play;
  play.Join(Mode::kSoft, 300, {.from_ns = kFrom});
  play.Join(Mode::kSoft, 700, {.kernel_ns = 2 * kMs});
  play.RunUntil(kTo);
  EXPECT_GT(play.Share(0, kFrom, kFrom + 5 * kMs), 0);
  EXPECT_GE(play.Share(0, kFrom, kFrom + 100 * kMs), 0.27);
  EXPECT_NEAR(play.Share(0, kFrom + kSecond, kTo), 0.3, 0.01);
}

TEST(CardArbiter, AHighPriorityTakesTheCardAndALowOneTheGaps) {
  CardPlay play;
  play.Join(Mode::kPriority, 0,
            {.kernel_ns = 100 * kUs, .burst_kernels = 20, .period_ns = 20 * kMs});
  play.Join(Mode::kPriority, 0, {});
  play.pages(0).card().compute.is_high = 1;
  play.RunUntil(kTo);
  EXPECT_NEAR(play.Share(0, kFrom, kTo), 0.1, 0.005);
  EXPECT_GE(play.Share(1, kFrom, kTo), 0.9 * 0.9);
}

// 20 us of kernel in each 50 us: 40 % of a card.
constexpr Program kGaps = {.kernel_ns = 20 * kUs, .gap_ns = 50 * kUs};

TEST(CardArbiter, ProgramsThatLeaveGapsRunInEachOthers) {
  CardPlay play;
  for (const uint32_t share : {500u, 500u}) play.Join(Mode::kHard, share, kGaps);
  play.RunUntil(kTo);
  for (size_t i = 0; i < 2; ++i) EXPECT_GE(play.Share(i, kFrom, kTo), 0.36) << i;
}

TEST(CardArbiter, ACapHoldsForAProgramThatRunsInTheGapsOfAnother) {
  CardPlay play;
  play.Join(Mode::kHard, 300, kGaps);
  play.Join(Mode::kHard, 700, kGaps);
  play.RunUntil(kTo);
  EXPECT_NEAR(play.Share(0, kFrom, kTo), 0.28, 0.03);
  EXPECT_GE(play.Share(1, kFrom, kTo), 0.35);
}

TEST(CardArbiter, AProgramThatUsesItsTurnsHasItsPartBesideOneThatLeavesGaps) {
  CardPlay play;
  play.Join(Mode::kHard, 500, kGaps);
  play.Join(Mode::kHard, 500, {});
  play.RunUntil(kTo);
  EXPECT_GE(play.Share(0, kFrom, kTo), 0.28);
  EXPECT_NEAR(play.Share(1, kFrom, kTo), 0.5, 0.01);
}

TEST(CardArbiter, SaysThatTheCardIsSharedAsLongAsAnybodyMayBeThere) {
  CardPlay play;
  for (int i = 0; i < 2; ++i) play.Join(Mode::kHard, 500, kGaps);
  uint64_t changes = 0;
  bool was_shared = false;
  for (play.RunUntil(kSecond); play.now_ns() < kTo; play.RunUntil(play.now_ns() + 1)) {
    const abi::TurnV1& turn = play.pages(0).card().turn;
    const bool is_shared = turn.shared_since_ns != 0;
    const bool both_may = play.pages(0).MayRun() && play.pages(1).MayRun();
    ASSERT_TRUE(is_shared || !both_may) << play.now_ns();
    changes += std::exchange(was_shared, is_shared) != is_shared ? 1 : 0;
    if (is_shared || turn.shared_until_ns == 0) continue;
    // Nobody has a turn before what all had in flight is about to end.
    const bool is_first = play.now_ns() < turn.shared_until_ns + kMs && play.pages(0).MayRun();
    if (is_first) ASSERT_LE(play.pages(1).Work(0).busy_until_ns, play.now_ns() + kHandoverNs);
  }
  EXPECT_GE(changes, 4u);
}

TEST(CardArbiter, TheOnlyTenantOfACardHasMoreInFlightUnlessItHasACap) {
  CardPlay play;
  play.Join(Mode::kWeighted, 0, {});
  play.RunUntil(kFrom);
  EXPECT_EQ(play.pages(0).card().turn.most_ahead_us, kLoneAheadUs);
  const size_t capped = play.Join(Mode::kHard, 300, {});
  play.RunUntil(kFrom + kRenewNs);
  EXPECT_EQ(play.pages(0).card().turn.most_ahead_us, 0u);
  EXPECT_EQ(play.pages(capped).card().turn.most_ahead_us, 0u);
  play.Leave(0);
  play.RunUntil(kFrom + 2 * kRenewNs);
  EXPECT_EQ(play.pages(capped).card().turn.most_ahead_us, 0u);
}

TEST(CardArbiter, ALowPriorityHasLessInFlightWhileThereIsAHighOne) {
  CardPlay play;
  play.Join(Mode::kWeighted, 0, {.from_ns = 100 * kSecond});
  play.Join(Mode::kPriority, 0, {});
  play.RunUntil(kFrom);
  EXPECT_EQ(play.pages(1).card().turn.most_ahead_us, 0u);
  const size_t high = play.Join(Mode::kPriority, 0, {.from_ns = 100 * kSecond});
  play.pages(high).card().compute.is_high = 1;
  play.RunUntil(kFrom + kRenewNs);
  EXPECT_EQ(play.pages(1).card().turn.most_ahead_us, kLowAheadUs);
  EXPECT_EQ(play.pages(high).card().turn.most_ahead_us, 0u);
  play.Leave(high);
  play.RunUntil(kFrom + 2 * kRenewNs);
  EXPECT_EQ(play.pages(1).card().turn.most_ahead_us, 0u);
}

TEST(CardArbiter, ModeNoneIsNeverHeldBack) {
  CardPlay play;
  play.Join(Mode::kNone, 0, {.from_ns = 100 * kSecond});
  play.Join(Mode::kHard, 300, {});
  for (uint64_t at_ns = kSecond; at_ns < kFrom; at_ns += 10 * kMs) {
    play.RunUntil(at_ns + 10 * kMs);
    EXPECT_TRUE(play.pages(0).MayRun());
  }
  EXPECT_NEAR(play.Share(1, kSecond, kFrom), 0.3, 0.01);
}

TEST(CardArbiter, ChangedTermsCountWithin200Ms) {
  CardPlay play;
  play.Join(Mode::kHard, 500, {});
  play.Join(Mode::kHard, 300, {.kernel_ns = 2 * kMs});
  play.RunUntil(kFrom);
  play.pages(0).card().compute.share_permille = 200;
  play.pages(1).card().compute.share_permille = 700;
  play.RunUntil(kTo);
  EXPECT_NEAR(play.Share(0, kFrom + 200 * kMs, kFrom + 1200 * kMs), 0.2, 0.01);
  EXPECT_NEAR(play.Share(1, kFrom + 200 * kMs, kFrom + 1200 * kMs), 0.7, 0.01);
}

TEST(CardArbiter, OthersGoOnWhenTheHolderIsRemovedOrKilled) {
  for (const bool removed : {true, false}) {
    CardPlay play;
    play.Join(Mode::kSoft, 500, {});
    play.Join(Mode::kSoft, 500, {.kernel_ns = 2 * kMs});
    play.RunUntil(kFrom);
    while (!play.pages(0).MayRun()) play.RunUntil(play.now_ns() + 10 * kUs);
    removed ? play.Leave(0) : play.Kill(0);
    play.RunUntil(kTo);
    EXPECT_GE(play.Share(1, kFrom + 200 * kMs, kTo), 0.97) << removed;
    EXPECT_EQ(play.pages(0).card().turn.valid_until_ns == 0, removed);
  }
}

TEST(CardArbiter, AProcessThatDiedWaitingIsNotCalledForever) {
  CardPlay play;
  play.Join(Mode::kHard, 500, {});
  play.Join(Mode::kSoft, 500, {.kernel_ns = 2 * kMs});
  play.RunUntil(kFrom);
  while (play.pages(0).Work(0).waits_since_ns == 0) play.RunUntil(play.now_ns() + 10 * kUs);
  play.Kill(0);
  play.RunUntil(kTo);
  EXPECT_GE(play.Share(1, kFrom + 200 * kMs, kTo), 0.97);
}

// What the liar writes before each step costs it, not the other one.
struct Liar {
  const char* what;
  void (*write)(FakePages& pages, uint64_t now_ns);
};
const Liar kLiars[] = {
    {"goes back",
     [](FakePages& p, uint64_t) { p.Work(0).used_ns = p.Work(0).used_ns < kMs ? kSecond : 0; }},
    {"jumps", [](FakePages& p, uint64_t) { p.Work(0).used_ns.fetch_add(UINT64_MAX / 3); }},
    {"busy forever", [](FakePages& p, uint64_t) { p.Work(0).busy_until_ns = UINT64_MAX; }},
    {"waits forever", [](FakePages& p, uint64_t) { p.Work(0).waits_since_ns = UINT64_MAX; }},
    {"ceiling", [](FakePages& p, uint64_t) { p.usage->slot_ceiling = UINT32_MAX; }},
    {"generation", [](FakePages& p, uint64_t) { p.usage->slots[0].owner.generation.fetch_add(1); }},
    {"calls", [](FakePages& p, uint64_t) { p.Call(); }},
    {"cut short", [](FakePages& p, uint64_t) { p.is_cut_short = true; }},
};

TEST(CardArbiter, AHostilePageCostsItsOwnTenantOnly) {
  for (const Liar& liar : kLiars) {
    CardPlay play;
    play.Join(Mode::kSoft, 400, {});
    play.Join(Mode::kSoft, 600, {});
    play.Lie(0, liar.write);
    play.RunUntil(kTo);
    EXPECT_GE(play.Share(1, kFrom, kTo), 0.59) << liar.what;
  }
}

// Goes on until the player has the turn; where it has it, until it has it again.
void RunUntilTurnOf(CardPlay& play, size_t player) {
  while (play.pages(player).MayRun()) play.RunUntil(play.now_ns() + 10 * kUs);
  while (!play.pages(player).MayRun()) play.RunUntil(play.now_ns() + 10 * kUs);
}

TEST(CardArbiter, WithTheTurnComesWhenTheCardIsDoneWithTheOneBefore) {
  CardPlay play;
  play.Join(Mode::kSoft, 500, {});
  play.Join(Mode::kSoft, 500, {.kernel_ns = 2 * kMs});
  play.RunUntil(kFrom);
  for (int turn = 0; turn < 20; ++turn) {
    RunUntilTurnOf(play, 0);
    EXPECT_EQ(play.pages(0).card().turn.card_free_ns, play.pages(1).Work(0).busy_until_ns);
  }
}

TEST(CardArbiter, WorkThatWasWaitedForInVainIsNotExpectedToEndLaterThanAHandover) {
  CardPlay play;
  play.Join(Mode::kSoft, 500, {});
  play.Join(Mode::kSoft, 500, {});
  play.Lie(1, [](FakePages& p, uint64_t) { p.Work(0).busy_until_ns = UINT64_MAX; });
  play.RunUntil(kFrom);
  RunUntilTurnOf(play, 0);
  EXPECT_LE(play.pages(0).card().turn.card_free_ns, play.now_ns() + kHandoverNs);
}

// 3 ms after it was expected to be over, in place of 5 at most.
TEST(CardArbiter, WorkThatMayBeLateIsWaitedForUntilSomebodyTells) {
  CardPlay play;
  play.Join(Mode::kSoft, 500, {});
  play.Join(Mode::kSoft, 500, {});
  play.Lie(1, [](FakePages& pages, uint64_t now_ns) {
    if (now_ns < pages.Work(0).busy_until_ns + 3 * kMs) return pages.AwaitEnd(/*late_us=*/5'000);
    pages.AwaitNothing();
  });
  play.RunUntil(kSecond + 20 * kMs);
  for (int turn = 0; turn < 6; ++turn) {
    RunUntilTurnOf(play, 0);
    const uint64_t end_ns = play.pages(1).Work(0).busy_until_ns;
    EXPECT_GE(play.now_ns(), end_ns + 3 * kMs);
    EXPECT_LE(play.now_ns(), end_ns + 5 * kMs);
  }
}

TEST(CardArbiter, WhoNeverTellsIsWaitedForNoLongerThanAnybody) {
  CardPlay play;
  play.Join(Mode::kSoft, 500, {});
  play.Join(Mode::kSoft, 500, {});
  play.Lie(1, [](FakePages& pages, uint64_t) { pages.AwaitEnd(UINT32_MAX - 1); });
  play.RunUntil(kTo);
  EXPECT_GT(play.Share(0, kFrom, kTo), 0.49);
}

TEST(CardArbiter, TellsWhenTheCardIsDoneWithWorkThatIsLate) {
  CardPlay play;
  play.Join(Mode::kSoft, 500, {});
  play.Join(Mode::kSoft, 500, {});
  play.RunUntil(kFrom);
  RunUntilTurnOf(play, 0);
  const std::atomic<uint64_t>& free_ns = play.pages(0).card().turn.card_free_ns;
  play.pages(1).AwaitEnd();
  play.RunUntil(play.now_ns() + kMs);
  play.arbiter().Step(play.now_ns());
  EXPECT_EQ(free_ns, play.now_ns()) << "it still waits";
  play.RunUntil(play.now_ns() + 300 * kUs);
  play.pages(1).AwaitNothing();
  const uint64_t ended_ns = play.now_ns();
  play.arbiter().Step(ended_ns);
  play.RunUntil(ended_ns + 100 * kUs);
  EXPECT_EQ(free_ns, ended_ns);
}

TEST(CardArbiter, WhoHadTheCardLastIsToldThatNobodyElseLeftAnything) {
  CardPlay play;
  play.Join(Mode::kHard, 250, {});
  play.RunUntil(kFrom);
  RunUntilTurnOf(play, 0);
  EXPECT_EQ(play.pages(0).card().turn.card_free_ns, abi::kCardWasItsOwn);
}

TEST(CardArbiter, TurnsAreRenewedForAllAndGrantedTimeGrows) {
  CardPlay play;
  play.Join(Mode::kHard, 300, {});
  play.Join(Mode::kSoft, 300, {.from_ns = 100 * kSecond});
  for (uint64_t at_ns = kSecond; at_ns < kFrom; at_ns += kMs) {
    play.RunUntil(at_ns + kMs);
    for (const size_t player : {0, 1})
      EXPECT_GT(play.pages(player).card().turn.valid_until_ns, play.now_ns() + kValidNs / 2);
  }
  EXPECT_NEAR(static_cast<double>(play.pages(0).card().turn.granted_ns), 0.3 * kSecond,
              0.05 * kSecond);
  EXPECT_EQ(play.pages(1).card().turn.granted_ns, 0u);
}

TEST(CardArbiter, AFileCutShortIsNotSleptOnUntilItIsWhole) {
  CardPlay play;
  play.Join(Mode::kSoft, 400, {});
  play.Join(Mode::kSoft, 600, {});
  const auto calls = [&play] {
    std::vector<platform::FutexWait> waits;
    play.RunUntil(play.now_ns() + kSecond);
    play.arbiter().AppendCalls(waits);
    return waits.size();
  };
  EXPECT_EQ(calls(), 2u);
  play.pages(0).is_cut_short = true;
  EXPECT_EQ(calls(), 1u);
  play.pages(0).is_cut_short = false;
  EXPECT_EQ(calls(), 2u);
}

TEST(CardArbiter, LearnsWhatTheCardLosesWhenItGoesToAnotherTenant) {
  for (const uint64_t switch_ns : {0 * kUs, 100 * kUs, 250 * kUs}) {
    CardPlay play(switch_ns);
    for (const uint32_t share : {300u, 700u}) play.Join(Mode::kHard, share, {});
    play.RunUntil(kTo);
    EXPECT_NEAR(static_cast<double>(play.arbiter().handover_ns()), static_cast<double>(switch_ns),
                20. * kUs);
  }
}

TEST(CardArbiter, SharesHoldWhereTheCardLosesMuchAtEachHandover) {
  for (const std::vector<uint32_t>& shares :
       {std::vector<uint32_t>{300, 700}, {500, 500}, {100, 200, 300, 400}}) {
    CardPlay play(200 * kUs);
    for (const uint32_t share : shares) play.Join(Mode::kHard, share, {});
    play.RunUntil(kTo);
    for (size_t i = 0; i < shares.size(); ++i)
      EXPECT_NEAR(play.Share(i, kFrom, kTo), shares[i] / 1000., 0.01) << shares.size() << ' ' << i;
  }
}

}  // namespace
}  // namespace warpshare::node

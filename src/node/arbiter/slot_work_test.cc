#include "node/arbiter/slot_work.h"

#include <gtest/gtest.h>

#include "node/arbiter/timing.h"

namespace warpshare::node {
namespace {

constexpr uint64_t kNow = 1'000'000'000;
constexpr uint64_t kPassed = 2'000'000;

// A slot of generation 1 that was looked at once and had used 0.
SlotWork Known() {
  SlotWork slot(kNow);
  slot.Look({.generation = 1, .used_ns = 0, .busy_until_ns = 0, .waits_since_ns = 0}, kNow);
  return slot;
}

TEST(SlotWork, UsedTimeIsBelievedWithinBounds) {
  const struct {
    const char* what;
    SlotWords words;
    uint64_t used_ns;
  } cases[] = {
      {"grew", {1, 1'500'000, 0, 0}, 1'500'000},
      {"grew ahead of the clock", {1, kPassed + kAheadNs, 0, 0}, kPassed + kAheadNs},
      {"jumped", {1, UINT64_MAX, 0, 0}, kPassed + kAheadNs},
      {"its owner gave it back", {2, 1'500'000, 0, 0}, 1'500'000},
      {"it is free, and was another's", {4, 1'500'000, 0, 0}, 0},
      {"another owner starts new", {3, 700'000, 0, 0}, 700'000},
  };
  for (const auto& each : cases) {
    SlotWork slot = Known();
    EXPECT_EQ(slot.Look(each.words, kNow + kPassed), each.used_ns) << each.what;
  }
}

TEST(SlotWork, AWordThatWentBackCountsAsAllTheTimeAndGoesOnFromThere) {
  SlotWork slot = Known();
  slot.Look({1, 1'500'000, 0, 0}, kNow + kPassed);
  EXPECT_EQ(slot.Look({1, 400'000, 0, 0}, kNow + 2 * kPassed), kPassed);
  EXPECT_EQ(slot.Look({1, 500'000, 0, 0}, kNow + 3 * kPassed), 100'000u);
}

TEST(SlotWork, AKernelOf20MsThatIsReportedAtItsEndCounts) {
  SlotWork slot = Known();
  for (uint64_t ms = 1; ms < 20; ++ms) slot.Look({1, 0, 0, 0}, kNow + ms * 1'000'000);
  EXPECT_EQ(slot.Look({1, 20'000'000, 0, 0}, kNow + 20'000'000), 20'000'000u);
}

TEST(SlotWork, WhatWasSubmittedCountsAsTheCardGetsToIt) {
  SlotWork slot = Known();
  const uint64_t end_ns = kNow + 3'000'000;
  EXPECT_EQ(slot.Look({1, 2'500'000, end_ns, 0}, kNow + 500'000), 0u);
  EXPECT_EQ(slot.Look({1, 2'500'000, end_ns, 0}, kNow + 1'500'000), 1'000'000u);
  EXPECT_EQ(slot.Look({1, 2'500'000, end_ns, 0}, kNow + 4'000'000), 1'500'000u);
}

TEST(SlotWork, WhoSaysThatAllIsInFlightPaysLaterButPays) {
  SlotWork slot = Known();
  uint64_t sum_ns = 0;
  for (uint64_t ms = 1; ms <= 1'000; ++ms)
    sum_ns += slot.Look({1, ms * 1'000'000, UINT64_MAX, 0}, kNow + ms * 1'000'000);
  EXPECT_EQ(sum_ns, 1'000'000'000 - kMostDrainNs);
}

TEST(SlotWork, WhatIsInFlightOrWaitsIsWithinBounds) {
  SlotWork slot = Known();
  slot.Look({1, 0, UINT64_MAX, UINT64_MAX}, kNow);
  EXPECT_EQ(slot.busy_until_ns(), kNow + kMostBusyNs);
  EXPECT_EQ(slot.WaitsSince(kNow), kNow);
  slot.Look({2, 0, UINT64_MAX, UINT64_MAX}, kNow);  // a free slot's words mean nothing
  EXPECT_EQ(slot.busy_until_ns(), 0u);
  EXPECT_EQ(slot.WaitsSince(kNow), 0u);
}

// Looked at so long after the time at which its work was to end.
SlotWork Awaited(uint32_t awaited_us_plus_1, uint64_t past_ns) {
  SlotWork slot(kNow);
  slot.Look({.generation = 1,
             .used_ns = 0,
             .busy_until_ns = kNow,
             .waits_since_ns = 0,
             .awaited_us_plus_1 = awaited_us_plus_1},
            kNow + past_ns);
  return slot;
}

TEST(SlotWork, WorkIsOverWhenItIsSaidToEndUnlessSomebodyWillTell) {
  EXPECT_EQ(Awaited(0, 0).surely_until_ns(), kNow);
  EXPECT_EQ(Awaited(1, 0).surely_until_ns(), kNow);
  EXPECT_EQ(Awaited(1 + 700, 0).surely_until_ns(), kNow + 700'000);
  EXPECT_EQ(Awaited(UINT32_MAX, 0).surely_until_ns(), kNow + kMostLateEndNs);
}

// Where lengths do not vary it is the thread that is late, rather, and nobody waits for it.
TEST(SlotWork, WorkThatIsAwaitedLongerThanAWakeTakesIsOverdueForAWhile) {
  const struct {
    uint32_t awaited;
    uint64_t past_ns;
    bool is_overdue;
  } table[] = {
      {9, kWakesUpNs + 9'000, true}, {1, kWakesUpNs, false},     {1, kWakesUpNs + 1, true},
      {0, kWakesUpNs + 1, false},    {1, kMostLateEndNs, false}, {9, kMostLateEndNs, false},
  };
  for (const auto& row : table) {
    const SlotWork slot = Awaited(row.awaited, row.past_ns);
    EXPECT_EQ(slot.is_overdue(), row.is_overdue) << row.awaited << ' ' << row.past_ns;
    const bool is_waited_for = slot.surely_until_ns() > kNow + row.past_ns + kHandoverNs;
    EXPECT_EQ(is_waited_for, row.is_overdue && row.awaited > 1) << row.awaited;
  }
}

TEST(SlotWork, WhoHasHadNoWorkWaitsForNone) {
  SlotWork slot(kNow);
  slot.Look({.generation = 1,
             .used_ns = 0,
             .busy_until_ns = 0,
             .waits_since_ns = 0,
             .awaited_us_plus_1 = UINT32_MAX},
            kNow);
  EXPECT_EQ(slot.surely_until_ns(), 0u);
  EXPECT_FALSE(slot.is_overdue());
}

// Of several threads that wait, one may not be given a processor while the others have it.
TEST(SlotWork, WhoWorksMeanwhileHasCome) {
  SlotWork slot = Known();
  slot.Look({1, 0, 0, kNow}, kNow);
  slot.Look({1, 500, 0, kNow}, kNow + kNoShowNs - 1);
  EXPECT_FALSE(slot.IsNoShow(kNow + kNoShowNs, kNow));
  EXPECT_TRUE(slot.IsNoShow(kNow + 2 * kNoShowNs, kNow)) << "and is gone since";
  slot.Ignore(kNow + 2 * kNoShowNs, /*lives=*/true);
  EXPECT_EQ(slot.WaitsSince(kNow + 2 * kNoShowNs), 0u);
  slot.Look({1, 1'000, 0, kNow}, kNow + 2 * kNoShowNs);
  EXPECT_EQ(slot.WaitsSince(kNow + 2 * kNoShowNs), kNow);
}

TEST(SlotWork, WhoDoesNotComeWhenCalledIsIgnoredForLongerEachTime) {
  SlotWork slot = Known();
  uint64_t now_ns = kNow;
  uint64_t before_ns = 0;
  for (int miss = 0; miss < 4; ++miss) {
    slot.Look({1, 0, 0, kNow}, now_ns);
    EXPECT_FALSE(slot.IsNoShow(now_ns + kNoShowNs - 1, now_ns));
    EXPECT_FALSE(slot.IsNoShow(now_ns + kNoShowNs, UINT64_MAX)) << "it was not called";
    ASSERT_TRUE(slot.IsNoShow(now_ns + kNoShowNs, now_ns));
    now_ns += kNoShowNs;
    slot.Ignore(now_ns, /*lives=*/true);
    uint64_t ignored_ns = 0;
    while (slot.WaitsSince(now_ns + ignored_ns) == 0) ignored_ns += 1'000'000;
    EXPECT_GT(ignored_ns, before_ns);
    before_ns = ignored_ns;
    now_ns += ignored_ns;
  }
  slot.Ignore(now_ns, /*lives=*/false);
  slot.Look({1, 0, 0, now_ns - 1}, now_ns);
  EXPECT_EQ(slot.WaitsSince(now_ns), now_ns - 1) << "it says something else";
}

}  // namespace
}  // namespace warpshare::node

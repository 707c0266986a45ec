#include "interposer/compute/tenant_cover.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

namespace warpshare::interposer {
namespace {

constexpr uint64_t kUs = 1'000;
constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kNow = 5'000'000 * kMs;
constexpr double kUnitNs = TenantCover::kUnitNs;

class TenantCoverTest : public testing::Test {
 protected:
  void Begin(uint64_t now_ns) { TenantCover::Begin(pair_, now_ns, over_ns_); }

  // A lap whose work was charged `charged_ns`.
  TenantCover::Stretch Add(uint64_t begin_ns, uint64_t end_ns, uint64_t charged_ns) {
    over_ns_ += charged_ns;
    const TenantCover::Lap lap{.begin_ns = begin_ns,
                               .end_ns = end_ns,
                               .unsure_ns = unsure_ns_,
                               .is_sole_news = is_sole_news_,
                               .most_ns = most_ns_};
    const TenantCover::Stretch stretch = TenantCover::Add(pair_, lap, over_ns_, counts_);
    owed_ns_ += stretch.owed_ns;
    return stretch;
  }

  alignas(16) abi::Pair pair_{};
  uint64_t over_ns_ = 700 * kMs;
  uint64_t unsure_ns_ = 0;
  bool is_sole_news_ = false;
  uint64_t most_ns_ = UINT64_MAX;
  bool counts_ = true;
  int64_t owed_ns_ = 0;
};

TEST_F(TenantCoverTest, SaysNothingBeforeWorkBegan) {
  EXPECT_EQ(Add(kNow, kNow + kMs, kMs).ns, 0u);
  EXPECT_EQ(owed_ns_, 0);
}

// Each of two processes sees the other's kernels in its own laps.
TEST_F(TenantCoverTest, LapsOfSeveralProcessesCountTheTimeOnce) {
  Begin(kNow);
  EXPECT_NEAR(static_cast<double>(Add(kNow, kNow + 200 * kUs, 200 * kUs).ns), 200e3, kUnitNs);
  EXPECT_NEAR(static_cast<double>(Add(kNow, kNow + 400 * kUs, 200 * kUs).ns), 200e3, kUnitNs);
  EXPECT_NEAR(static_cast<double>(Add(kNow + 200 * kUs, kNow + 600 * kUs, 200 * kUs).ns), 200e3,
              kUnitNs);
  EXPECT_EQ(Add(kNow + 100 * kUs, kNow + 500 * kUs, 0).ns, 0u) << "all of that is known";
  EXPECT_EQ(owed_ns_, 0);
}

TEST_F(TenantCoverTest, OwesWhatTheCardTookBeyondWhatWasCharged) {
  Begin(kNow);
  for (uint64_t i = 0; i < 100; ++i) Add(kNow + i * kMs, kNow + (i + 1) * kMs, kMs / 4);
  EXPECT_NEAR(static_cast<double>(owed_ns_), 75e6 - TenantCover::kOwedNs, 100 * kUnitNs);
}

TEST_F(TenantCoverTest, GivesBackWhatWasChargedBeyondWhatTheCardTook) {
  Begin(kNow);
  for (uint64_t i = 0; i < 100; ++i) Add(kNow + i * kMs, kNow + (i + 1) * kMs, 2 * kMs);
  EXPECT_NEAR(static_cast<double>(owed_ns_), -100e6 + TenantCover::kOwedNs, 100 * kUnitNs);
}

// A process's laps tell the end of more than the card did meanwhile, and then of less.
TEST_F(TenantCoverTest, OwesNothingForWhatIsInFlight) {
  Begin(kNow);
  for (uint64_t i = 0; i < 1'000; ++i)
    EXPECT_EQ(Add(kNow + i * kMs, kNow + (i + 1) * kMs, i % 2 == 0 ? 2 * kMs : 0).owed_ns, 0) << i;
}

TEST_F(TenantCoverTest, TimeWithoutWorkCountsForNothing) {
  for (uint64_t turn = 0; turn < 100; ++turn) {
    const uint64_t at_ns = kNow + turn * 10 * kMs;
    Begin(at_ns);
    EXPECT_NEAR(static_cast<double>(Add(at_ns, at_ns + 3 * kMs, 3 * kMs).ns), 3e6, kUnitNs);
  }
  EXPECT_EQ(owed_ns_, 0);
}

// Several threads begin when the turn does.
TEST_F(TenantCoverTest, TheFirstOfThoseThatBeginTogetherCounts) {
  Begin(kNow);
  Begin(kNow + 10 * kUs);
  EXPECT_NEAR(static_cast<double>(Add(kNow, kNow + 200 * kUs, 200 * kUs).ns), 200e3, kUnitNs);
}

// It takes longer than it was thought to, so that another process takes the card for free.
TEST_F(TenantCoverTest, WorkThatGoesOnWhileOthersTakeTheCardForFreeCounts) {
  Begin(kNow);
  Add(kNow, kNow + 200 * kUs, 200 * kUs);
  Begin(kNow + 900 * kUs);
  const auto stretch = Add(kNow + 300 * kUs, kNow + 2'000 * kUs, 200 * kUs);
  EXPECT_NEAR(static_cast<double>(stretch.ns), 1.7e6, 2 * kUnitNs);
}

TEST_F(TenantCoverTest, WorkThatEndedBeforeItWasLookedAtCounts) {
  Begin(kNow);
  Add(kNow, kNow + 200 * kUs, 200 * kUs);
  Begin(kNow + 900 * kUs);
  EXPECT_NEAR(static_cast<double>(Add(kNow + 300 * kUs, kNow + 800 * kUs, 200 * kUs).ns), 500e3,
              2 * kUnitNs);
}

TEST_F(TenantCoverTest, ALapThatMayHaveWaitedTakesNoMoreThanExpectedOrCharged) {
  Begin(kNow);
  most_ns_ = 300 * kUs;
  EXPECT_EQ(Add(kNow, kNow + 2 * kMs, 200 * kUs).ns, 300 * kUs);
  EXPECT_NEAR(static_cast<double>(Add(kNow + 2 * kMs, kNow + 4 * kMs, 500 * kUs).ns), 500e3,
              kUnitNs);
}

TEST_F(TenantCoverTest, WhatIsUnsureIsNotOwed) {
  Begin(kNow);
  unsure_ns_ = 10 * kMs;
  Add(kNow, kNow + 10 * kMs, kMs);
  EXPECT_EQ(owed_ns_, 0);
}

// The card was expected to be busy for longer than it was.
TEST_F(TenantCoverTest, WhereAllEndsAreKnownTheTimeBeforeALapBeganIsNobodys) {
  Begin(kNow);
  is_sole_news_ = true;
  Add(kNow, kNow + kMs, kMs);
  EXPECT_NEAR(static_cast<double>(Add(kNow + 3 * kMs, kNow + 4 * kMs, kMs).ns), 1e6, kUnitNs);
}

TEST_F(TenantCoverTest, WhatDoesNotCountIsNotOwedLater) {
  Begin(kNow);
  counts_ = false;
  EXPECT_EQ(Add(kNow, kNow + 10 * kMs, kMs).owed_ns, 0);
  counts_ = true;
  Add(kNow + 10 * kMs, kNow + 11 * kMs, kMs);
  EXPECT_EQ(owed_ns_, 0);
}

// The page is the tenant's to spoil.
TEST_F(TenantCoverTest, WhatIsOwedIsBoundedWhateverIsThere) {
  std::mt19937_64 random(7);  // NOLINT: the same each time
  for (int i = 0; i < 100'000; ++i) {
    pair_ = {random(), random()};
    Begin(kNow + random() % kMs);
    const auto stretch = Add(kNow + random() % kMs, kNow + random() % (100 * kMs), random() % kMs);
    ASSERT_LE(stretch.ns, 1'100 * kMs);
    ASSERT_LE(stretch.owed_ns, static_cast<int64_t>(1'200 * kMs));
  }
}

TEST_F(TenantCoverTest, ProcessesThatAddAtTheSameTimeLoseNothing) {
  constexpr uint64_t kLaps = 20'000;
  Begin(kNow);
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> sum_ns{0};
  const auto add = [&] {
    for (uint64_t i = next++; i < kLaps; i = next++) {
      const TenantCover::Lap lap{.begin_ns = kNow + i * kUs,
                                 .end_ns = kNow + (i + 1) * kUs,
                                 .unsure_ns = 0,
                                 .is_sole_news = false,
                                 .most_ns = UINT64_MAX};
      sum_ns += TenantCover::Add(pair_, lap, over_ns_, false).ns;
    }
  };
  std::thread other(add);
  add();
  other.join();
  EXPECT_NEAR(static_cast<double>(sum_ns.load()), kLaps * 1e3, kUnitNs);
}

}  // namespace
}  // namespace warpshare::interposer

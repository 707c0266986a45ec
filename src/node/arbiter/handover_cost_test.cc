#include "node/arbiter/handover_cost.h"

#include <gtest/gtest.h>

#include "node/arbiter/timing.h"

namespace warpshare::node {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kUs = 1'000;
constexpr int kEnough = 31;

// Two tenants in turn, each of which loses so much of its turn of 4 ms.
class HandoverCostTest : public ::testing::Test {
 protected:
  void Play(int turns, uint64_t lost_ns, uint64_t in_flight_ns = kMs, bool others_want = true) {
    for (int i = 0; i < turns; ++i) {
      cost_.Begin(now_ns_, used_ns_);
      cost_.Watch(0, true);  // it wakes up
      cost_.Watch(in_flight_ns, others_want);
      now_ns_ += 4 * kMs;
      used_ns_ += 4 * kMs - lost_ns;
      cost_.End(now_ns_, used_ns_);
    }
  }

  HandoverCost cost_;
  uint64_t now_ns_ = 1'000 * kMs;
  uint64_t used_ns_ = 0;
};

TEST_F(HandoverCostTest, IsNotKnownAtFirst) {
  Play(kEnough - 1, 150 * kUs);
  EXPECT_EQ(cost_.ns(), 0u);
}

TEST_F(HandoverCostTest, IsWhatATurnTookLongerThanItsWork) {
  Play(kEnough, 150 * kUs);
  EXPECT_EQ(cost_.ns(), 150 * kUs);
}

TEST_F(HandoverCostTest, IsNotMovedByTurnsThatWereDisturbed) {
  for (int i = 0; i < kEnough; ++i) Play(1, i % 3 == 0 ? 3 * kMs : 150 * kUs);
  EXPECT_EQ(cost_.ns(), 150 * kUs);
}

TEST_F(HandoverCostTest, FollowsTheCard) {
  Play(kEnough, 150 * kUs);
  Play(kEnough, 20 * kUs);
  EXPECT_EQ(cost_.ns(), 20 * kUs);
}

TEST_F(HandoverCostTest, IsNotLearnedFromTenantsThatLeaveTheCardIdle) {
  Play(kEnough, kMs, /*in_flight_ns=*/20 * kUs);
  EXPECT_EQ(cost_.ns(), 0u);
  for (int i = 0; i < kEnough; ++i) {
    cost_.Begin(now_ns_, used_ns_);
    cost_.Watch(kMs, true);
    cost_.Watch(0, true);
    cost_.Watch(kMs, true);
    cost_.End(now_ns_ += 4 * kMs, used_ns_ += 3 * kMs);
  }
  EXPECT_EQ(cost_.ns(), 0u);
}

TEST_F(HandoverCostTest, IsNotLearnedWhileNobodyElseWantsTheCard) {
  Play(kEnough, kMs, kMs, /*others_want=*/false);
  EXPECT_EQ(cost_.ns(), 0u);
}

TEST_F(HandoverCostTest, IsNotLearnedFromASpoiltTurn) {
  cost_.Begin(now_ns_, used_ns_);
  cost_.Watch(kMs, true);
  cost_.Spoil();
  cost_.End(now_ns_ + 4 * kMs, used_ns_);
  Play(kEnough - 1, 150 * kUs);
  EXPECT_EQ(cost_.ns(), 0u);
}

TEST_F(HandoverCostTest, HasBoundsWhateverTenantsSay) {
  Play(kEnough, 4 * kMs);
  EXPECT_EQ(cost_.ns(), kMostHandoverNs);
  for (int i = 0; i < kEnough; ++i) {  // used more than the time that passed
    cost_.Begin(now_ns_, used_ns_);
    cost_.Watch(kMs, true);
    cost_.End(now_ns_ += 4 * kMs, used_ns_ += 5 * kMs);
  }
  EXPECT_EQ(cost_.ns(), 0u);
}

}  // namespace
}  // namespace warpshare::node

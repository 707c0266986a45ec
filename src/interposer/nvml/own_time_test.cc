#include "interposer/nvml/own_time.h"

#include <gtest/gtest.h>

#include <memory>

namespace warpshare::interposer {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kNow = 3'600'000 * kMs;

TEST(OwnTime, IsThatOfAllProcessesWithoutWhatIsStillInFlight) {
  const auto usage = std::make_unique<abi::UsagePageV1>();
  usage->slot_ceiling = 3;
  usage->slots[0].work[1].used_ns = 700 * kMs;
  usage->slots[2].work[1].used_ns = 50 * kMs;
  usage->slots[0].work[0].used_ns = 999 * kMs;  // of another card
  EXPECT_EQ(LookAtTime(*usage, 1, kNow).done_ns, 750 * kMs);
  usage->slots[0].work[1].busy_until_ns = kNow + 20 * kMs;
  usage->slots[2].work[1].busy_until_ns = kNow + 30 * kMs;
  EXPECT_EQ(LookAtTime(*usage, 1, kNow).done_ns, 720 * kMs);
  usage->slots[2].work[1].busy_until_ns = UINT64_MAX;
  EXPECT_EQ(LookAtTime(*usage, 1, kNow).done_ns, 0u);
}

TEST(OwnTime, IsThePartOfTheTimeThatPassed) {
  EXPECT_EQ(PercentBetween({kNow, 0}, {kNow + 200 * kMs, 50 * kMs}), 25u);
  EXPECT_EQ(PercentBetween({kNow, 0}, {kNow + 200 * kMs, 300 * kMs}), 100u);
  EXPECT_EQ(PercentBetween({kNow, 10}, {kNow + 200 * kMs, 0}), 0u) << "more is in flight";
  EXPECT_EQ(PercentBetween({kNow, 0}, {kNow, 0}), 0u);
}

TEST(OwnTime, IsThatOfTheLastSecondWhereItIsAskedForAllTheTime) {
  OwnTime time{};
  time.Begin({kNow, 0});
  for (uint64_t at_ns = kNow + 100 * kMs; at_ns < kNow + 10'000 * kMs; at_ns += 100 * kMs) {
    const uint64_t apart_ns = at_ns - time.Exchange({at_ns, 0}).at_ns;
    EXPECT_LE(apart_ns, 1'000 * kMs);
    EXPECT_TRUE(at_ns < kNow + 500 * kMs || apart_ns >= 500 * kMs);
  }
}

TEST(OwnTime, IsThatSinceTheLastQuestionWhereItIsAskedForSeldom) {
  OwnTime time{};
  time.Begin({kNow, 0});
  EXPECT_EQ(time.Exchange({kNow + 15'000 * kMs, 1}).at_ns, kNow);
  time.Begin({kNow + 20'000 * kMs, 2});
  EXPECT_EQ(time.Exchange({kNow + 30'000 * kMs, 3}).at_ns, kNow + 15'000 * kMs);
}

}  // namespace
}  // namespace warpshare::interposer

#include "interposer/compute/event_zero.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

constexpr uint64_t kNow = 1'000'000'000'000;

TEST(EventZero, IsNothingUntilItIsMeasured) {
  const EventZero zero;
  EXPECT_EQ(zero.ns(), 0u);
  EXPECT_EQ(zero.Without(5'000), 5'000u);
  EXPECT_TRUE(zero.IsDue(kNow));
}

TEST(EventZero, IsTheLeastOfTheLastOnesAsDisturbancesMakeItLonger) {
  EventZero zero;
  for (const uint64_t apart_ns : {1'900, 1'500, 4'000, 1'700}) zero.Add(apart_ns, kNow);
  EXPECT_EQ(zero.ns(), 1'500u);
  EXPECT_EQ(zero.Without(6'500), 5'000u);
  for (int i = 0; i < 8; ++i) zero.Add(1'600, kNow);
  EXPECT_EQ(zero.ns(), 1'600u);
}

TEST(EventZero, IsNotBelievedToBeLongerThanAnyCardNeeds) {
  EventZero zero;
  zero.Add(50'000, kNow);
  EXPECT_EQ(zero.ns(), 0u);
}

TEST(EventZero, LeavesHalfOfWhatLastedHardlyLonger) {
  EventZero zero;
  zero.Add(1'500, kNow);
  EXPECT_EQ(zero.Without(2'000), 1'000u);
  EXPECT_EQ(zero.Without(0), 0u);
}

TEST(EventZero, IsMeasuredOftenAtFirstAndThenOnceASecond) {
  EventZero zero;
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(zero.IsDue(kNow)) << i;
    zero.Add(1'500, kNow);
  }
  EXPECT_FALSE(zero.IsDue(kNow + 999'999'999));
  EXPECT_TRUE(zero.IsDue(kNow + 1'000'000'000));
}

}  // namespace
}  // namespace warpshare::interposer

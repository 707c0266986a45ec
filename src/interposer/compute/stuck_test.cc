#include "interposer/compute/stuck.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

class StuckTest : public testing::Test {
 protected:
  static constexpr uint64_t kBegin = 1'000'000'000;

  bool Asks(uint64_t after_ns, uint64_t first = 0, bool is_overdue = true) {
    return stuck_.LetsThrough(first, is_overdue, /*is_more_of_it=*/false, kBegin + after_ns);
  }
  bool AsksForMoreOfIt(uint64_t after_ns) {
    return stuck_.LetsThrough(0, /*is_overdue=*/true, /*is_more_of_it=*/true, kBegin + after_ns);
  }

  Stuck stuck_{};
};

TEST_F(StuckTest, NeverLetsTheFirstThrough) { EXPECT_FALSE(Asks(100 * kStuckNs)); }

TEST_F(StuckTest, LetsOneThroughAfterALongWait) {
  EXPECT_FALSE(Asks(0));
  EXPECT_FALSE(Asks(kStuckNs - 1));
  EXPECT_TRUE(Asks(kStuckNs));
  EXPECT_FALSE(Asks(kStuckNs)) << "only one";
}

TEST_F(StuckTest, WaitsHalfAsLongEachTimeAndSoonNotAtAll) {
  Asks(0);
  uint64_t at_ns = 0;
  for (uint64_t patience_ns = kStuckNs; patience_ns > 0; patience_ns /= 2) {
    EXPECT_FALSE(Asks(at_ns + patience_ns - 1));
    EXPECT_TRUE(Asks(at_ns += patience_ns));
  }
  EXPECT_LT(at_ns, 2 * kStuckNs);
  EXPECT_TRUE(Asks(at_ns));
  EXPECT_TRUE(Asks(at_ns));
}

TEST_F(StuckTest, KeepsItsPatienceWithMoreOfWhatIsOverdue) {
  Asks(0);
  for (uint64_t at_ns = 0; at_ns + kStuckNs < kStuckAtOneKindNs;) {
    EXPECT_FALSE(AsksForMoreOfIt(at_ns + kStuckNs - 1));
    EXPECT_TRUE(AsksForMoreOfIt(at_ns += kStuckNs));
  }
}

TEST_F(StuckTest, LosesItInTheEnd) {
  Asks(0);
  EXPECT_TRUE(AsksForMoreOfIt(kStuckAtOneKindNs));
  EXPECT_TRUE(AsksForMoreOfIt(kStuckAtOneKindNs + kStuckNs / 2));
}

TEST_F(StuckTest, HasAllItsPatienceAgainWhenTheOldestHasEnded) {
  Asks(0, 5);
  EXPECT_TRUE(Asks(kStuckNs, 5));
  EXPECT_FALSE(Asks(kStuckNs * 3, 6));
  EXPECT_FALSE(Asks(kStuckNs * 4 - 1, 6));
  EXPECT_TRUE(Asks(kStuckNs * 4, 6));
}

TEST_F(StuckTest, HasAllItsPatienceAgainWhenNothingIsOverdue) {
  Asks(0);
  EXPECT_TRUE(Asks(kStuckNs));
  EXPECT_FALSE(Asks(kStuckNs * 3, 0, false));
  EXPECT_FALSE(Asks(kStuckNs * 4 - 1));
  EXPECT_TRUE(Asks(kStuckNs * 4));
}

}  // namespace
}  // namespace warpshare::interposer

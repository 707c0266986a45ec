#include "interposer/compute/repeats.h"

#include <gtest/gtest.h>

#include <memory>

namespace warpshare::interposer {
namespace {

class RepeatsTest : public testing::Test {
 protected:
  Cost& Learned(uint64_t name, uint64_t ns) {
    Cost& cost = table_->Of(name << 52);
    cost.Learn(ns);
    return cost;
  }

  std::unique_ptr<CostTable> table_ = std::make_unique<CostTable>();
  Repeats repeats_;
};

TEST_F(RepeatsTest, APriceIsTooLowThatManyLapsInARowSayMoreOf) {
  const Cost& cost = Learned(1, 100'000);
  for (int lap = 0; lap < 12; ++lap) ASSERT_FALSE(repeats_.IsTooLow(cost, 120'000)) << lap;
  EXPECT_TRUE(repeats_.IsTooLow(cost, 120'000));
  EXPECT_FALSE(repeats_.IsTooLow(cost, 90'000));
  EXPECT_FALSE(repeats_.IsTooLow(cost, 120'000)) << "anew";
}

TEST_F(RepeatsTest, KindsOfWorkThatTakeTurnsAreCountedApart) {
  const Cost& one = Learned(1, 100'000);
  const Cost& other = Learned(2, 50'000);
  for (int lap = 0; lap < 12; ++lap) {
    ASSERT_FALSE(repeats_.IsTooLow(one, 120'000));
    ASSERT_FALSE(repeats_.IsTooLow(other, 40'000));
  }
  EXPECT_TRUE(repeats_.IsTooLow(one, 120'000));
}

TEST_F(RepeatsTest, TheShortestIsTheOneThatComesAgain) {
  const Cost& cost = Learned(1, 80'000);
  EXPECT_FALSE(repeats_.IsShortest(cost, 100'000));
  EXPECT_FALSE(repeats_.IsShortest(cost, 340'000));
  EXPECT_FALSE(repeats_.IsShortest(cost, 100'100));
  EXPECT_TRUE(repeats_.IsShortest(cost, 99'900));
  EXPECT_FALSE(repeats_.IsShortest(cost, 340'000));
}

TEST_F(RepeatsTest, AShorterOneBeginsAnew) {
  const Cost& cost = Learned(1, 80'000);
  for (int lap = 0; lap < 10; ++lap) (void)repeats_.IsShortest(cost, 100'000);
  EXPECT_FALSE(repeats_.IsShortest(cost, 50'000));
  EXPECT_FALSE(repeats_.IsShortest(cost, 100'000));
}

TEST_F(RepeatsTest, AShortestThatComesNoMoreIsForgotten) {
  const Cost& cost = Learned(1, 80'000);
  for (int lap = 0; lap < 10; ++lap) (void)repeats_.IsShortest(cost, 100'000);
  for (int lap = 0; lap < 65; ++lap) ASSERT_FALSE(repeats_.IsShortest(cost, 200'000)) << lap;
  EXPECT_TRUE(repeats_.IsShortest(cost, 200'000));
}

// Its place in the table of costs was needed.
TEST_F(RepeatsTest, WorkThatTookThePlaceOfOtherWorkBeginsAnew) {
  constexpr uint64_t kNeighbours = 8;
  constexpr uint64_t kHome = uint64_t{5} << 52;
  for (uint64_t i = 1; i <= kNeighbours; ++i) {
    table_->Of(kHome + i).Learn(100);
    table_->Of(kHome + i).Learn(100);
  }
  Cost& cost = table_->Of(kHome + 1);
  for (int lap = 0; lap < 12; ++lap) ASSERT_FALSE(repeats_.IsTooLow(cost, 120'000));
  ASSERT_EQ(&table_->Of(kHome + kNeighbours + 1), &cost);
  EXPECT_FALSE(repeats_.IsTooLow(cost, 120'000));
}

}  // namespace
}  // namespace warpshare::interposer

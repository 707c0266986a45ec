#include "interposer/compute/cost_table.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace warpshare::interposer {
namespace {

class CostTableTest : public testing::Test {
 protected:
  // Names that share a home: they differ below the bits that choose it.
  static constexpr uint64_t kHome = uint64_t{5} << 52;
  static constexpr uint32_t kNeighbours = 8;

  Cost& Learned(uint64_t name, uint64_t ns) {
    Cost& cost = table_->Of(name);
    cost.Learn(ns);
    return cost;
  }

  std::unique_ptr<CostTable> table_ = std::make_unique<CostTable>();
};

TEST_F(CostTableTest, KnowsNothingOfANameAtFirst) { EXPECT_EQ(table_->Of(1).samples(), 0u); }

TEST_F(CostTableTest, AChangeIsTakenOnce) {
  Cost& cost = Learned(1, 100);
  EXPECT_FALSE(cost.TakeChange());
  cost.Change();
  EXPECT_TRUE(cost.TakeChange());
  EXPECT_FALSE(cost.TakeChange());
  EXPECT_EQ(cost.ns(), 100u);
}

TEST_F(CostTableTest, KeepsEachNameApart) {
  Learned(kHome + 1, 100);
  Learned(kHome + 2, 200);
  Learned(1, 300);
  EXPECT_EQ(table_->Of(kHome + 1).ns(), 100u);
  EXPECT_EQ(table_->Of(kHome + 2).ns(), 200u);
  EXPECT_EQ(table_->Of(1).ns(), 300u);
}

TEST_F(CostTableTest, TheLastHomeHasNeighboursToo) {
  const uint64_t last = uint64_t{4095} << 52;
  for (uint32_t i = 1; i <= kNeighbours; ++i) Learned(last + i, i);
  for (uint32_t i = 1; i <= kNeighbours; ++i) EXPECT_EQ(table_->Of(last + i).ns(), i);
}

TEST_F(CostTableTest, ANameThatFindsNoRoomTakesAnothersPlaceAndIsLearnedAnew) {
  for (uint32_t i = 1; i <= kNeighbours; ++i) Learned(kHome + i, i);
  Cost& newcomer = table_->Of(kHome + 100);
  EXPECT_EQ(newcomer.samples(), 0u);
  newcomer.Learn(7);
  EXPECT_EQ(newcomer.ns(), 7u);
  EXPECT_EQ(&table_->Of(kHome + 100), &newcomer);
  uint32_t kept = 0;
  for (uint32_t i = 2; i <= kNeighbours; ++i) kept += table_->Of(kHome + i).ns() == i;
  EXPECT_EQ(kept, kNeighbours - 1);
}

using CostTest = CostTableTest;

TEST_F(CostTest, IsTheMeanOfTheFirstSamples) {
  Cost& cost = table_->Of(1);
  cost.Learn(100);
  EXPECT_EQ(cost.ns(), 100u);
  cost.Learn(200);
  EXPECT_EQ(cost.ns(), 150u);
  cost.Learn(300);
  EXPECT_EQ(cost.ns(), 200u);
  EXPECT_EQ(cost.samples(), 3u);
}

TEST_F(CostTest, ForgetsWhatWasLongAgo) {
  Cost& cost = table_->Of(1);
  for (int i = 0; i < 1000; ++i) cost.Learn(1'000'000);
  for (int i = 0; i < 40; ++i) cost.Learn(10'000);
  EXPECT_LT(cost.ns(), 20'000u);
  for (int i = 0; i < 40; ++i) cost.Learn(1'000'000);
  EXPECT_GT(cost.ns(), 980'000u);
}

TEST_F(CostTest, ADoubtfulFirstSampleIsReplacedByTheNext) {
  for (const bool is_rough : {false, true}) {
    Cost& cost = table_->Of(is_rough ? uint64_t{5} << 52 : uint64_t{6} << 52);
    cost.LearnDoubtful(900'000);
    EXPECT_EQ(cost.ns(), 900'000u);
    is_rough ? cost.LearnRough(0, 200'000) : cost.Learn(200'000);
    EXPECT_EQ(cost.ns(), 200'000u);
    EXPECT_EQ(cost.samples(), 1u);
    cost.Learn(300'000);
    EXPECT_EQ(cost.ns(), 250'000u);
  }
}

TEST_F(CostTest, IsUnknownUntilASampleSaysMoreThanAGuess) {
  Cost& cost = table_->Of(1);
  EXPECT_TRUE(cost.is_unknown());
  cost.LearnGuess(20'000);
  EXPECT_TRUE(cost.is_unknown());
  cost.LearnBetween(0, 200'000);
  EXPECT_FALSE(cost.is_unknown());
  EXPECT_EQ(cost.ns(), 200'000u);
}

TEST_F(CostTest, ADoubtfulFirstSampleMayHaveBeenTooShort) {
  Cost& cost = table_->Of(1);
  cost.LearnDoubtful(150'000);
  for (int i = 0; i < 3; ++i) cost.LearnRough(200'000, 200'000);
  EXPECT_EQ(cost.ns(), 200'000u);
  EXPECT_EQ(cost.samples(), 3u) << "and it is well known";
}

TEST_F(CostTest, VariesIfOneLastsMuchLongerThanTheMean) {
  constexpr uint64_t kMean = 200'000;
  const struct {
    uint64_t longest_ns;
    bool varies;
  } table[] = {{kMean, false}, {kMean * 6 / 5, false}, {kMean * 7 / 5, true}, {kMean * 99, true}};
  for (const auto& row : table) {
    CostTable table_of_its_own;
    Cost& cost = table_of_its_own.Of(1);
    cost.Learn(kMean);
    cost.NoteLongest(row.longest_ns);
    EXPECT_EQ(cost.varies(), row.varies) << row.longest_ns;
    EXPECT_NEAR(static_cast<double>(cost.LongerByNs()), static_cast<double>(row.longest_ns - kMean),
                static_cast<double>(row.longest_ns) / 1'000);
  }
}

TEST_F(CostTest, OfShortWorkIsNotSaidToVary) {
  Cost& cost = Learned(1, 5'000);
  cost.NoteLongest(15'000);
  EXPECT_FALSE(cost.varies());
}

TEST_F(CostTest, TheLongestIsForgottenAfterSomeHundreds) {
  Cost& cost = Learned(1, 200'000);
  cost.NoteLongest(20'000'000);
  for (int i = 0; i < 100; ++i) cost.NoteLongest(200'000);
  EXPECT_TRUE(cost.varies());
  for (int i = 0; i < 2'000; ++i) cost.NoteLongest(200'000);
  EXPECT_FALSE(cost.varies());
}

TEST_F(CostTest, IsToldWhereManyAreAlikeAndATurnHasSeveral) {
  Cost& cost = Learned(1, 200'000);
  for (int i = 0; i < 100; ++i) cost.Learn(200'000);
  EXPECT_FALSE(cost.IsTold());
  for (int i = 0; i < 200; ++i) cost.Learn(200'000);
  EXPECT_TRUE(cost.IsTold());
  cost.NoteLongest(900'000);
  EXPECT_FALSE(cost.IsTold());
  Cost& of_long = Learned(kHome, 3'000'000);
  for (int i = 0; i < 300; ++i) of_long.Learn(3'000'000);
  EXPECT_FALSE(of_long.IsTold());
}

TEST_F(CostTest, IsNotCarriedAwayByOneThatLastedVeryLong) {
  Cost& cost = Learned(1, 5'000);
  for (int i = 0; i < 8; ++i) cost.Learn(5'000);
  cost.Learn(2'000'000);
  EXPECT_EQ(cost.ns(), 7'500u);
  for (int i = 0; i < 40; ++i) cost.Learn(2'000'000);
  EXPECT_NEAR(static_cast<double>(cost.ns()), 2'000'000, 200'000) << "it has become longer";
}

TEST_F(CostTest, StaysWhereWhatWasMeasuredSaysNothingNew) {
  Cost& cost = Learned(1, 20'000);
  cost.LearnBetween(10'000, 900'000);
  EXPECT_EQ(cost.ns(), 20'000u);
}

TEST_F(CostTest, OfWhatVariesIsTheMeanThoughEachMeasureIsALittleRough) {
  Cost& cost = Learned(1, 100'000);
  uint64_t sum = 0;
  for (int i = 0; i < 100; ++i) {
    cost.LearnBetween(97'000, 100'000);
    sum += cost.ns();
    cost.LearnBetween(297'000, 300'000);
    sum += cost.ns();
  }
  EXPECT_NEAR(static_cast<double>(sum) / 200, 200'000, 10'000);
}

TEST_F(CostTest, BesideOthersFallsToTheMostThatItLasted) {
  Cost& cost = Learned(1, 20'000);
  for (int i = 0; i < 60; ++i) {
    cost.LearnRough(0, 4'000);
    cost.LearnRough(0, 9'000);
  }
  EXPECT_GE(cost.ns(), 4'000u);
  EXPECT_LT(cost.ns(), 4'300u);
}

TEST_F(CostTest, OfSomethingShortGrowsSlowlyToWhatItHasBecome) {
  Cost& cost = Learned(1, 6'400);
  cost.LearnRough(40'000, 90'000);
  EXPECT_EQ(cost.ns(), 6'500u);
  for (int i = 0; i < 200; ++i) cost.LearnRough(40'000, 90'000);
  EXPECT_EQ(cost.ns(), 40'000u);
}

// Each of them is too long by what other streams had the card for.
TEST_F(CostTest, StaysWhatItIsBesideOthersWhoseWorkIsKnown) {
  Cost& cost = Learned(1, 200'000);
  for (int i = 0; i < 200; ++i) cost.LearnRough(150'000, 800'000);
  EXPECT_EQ(cost.ns(), 200'000u);
}

TEST_F(CostTest, WhatCanOnlyBeTooLongNeverRaisesIt) {
  Cost& cost = table_->Of(1);
  cost.LearnAtMost(0, 500);
  EXPECT_EQ(cost.ns(), 500u) << "better than nothing";
  cost.LearnAtMost(6'000, 9'000);
  EXPECT_EQ(cost.ns(), 500u);
  EXPECT_EQ(cost.samples(), 1u);
  cost.LearnAtMost(0, 100);
  EXPECT_EQ(cost.ns(), 300u);
}

TEST_F(CostTest, ADoubtfulFirstSampleIsRaisedToWhatOthersDoNotAccountFor) {
  Cost& cost = table_->Of(1);
  cost.LearnDoubtful(20'000);
  cost.LearnAtMost(0, 900'000);
  EXPECT_EQ(cost.ns(), 20'000u) << "it may be that others took all the rest";
  cost.LearnAtMost(700'000, 900'000);
  EXPECT_EQ(cost.ns(), 700'000u);
  cost.LearnAtMost(1'500'000, 2'000'000);
  EXPECT_EQ(cost.ns(), 1'500'000u) << "still not known";
  cost.LearnAtMost(0, 200'000);
  EXPECT_EQ(cost.ns(), 200'000u);
  cost.LearnAtMost(500'000, 900'000);
  EXPECT_EQ(cost.ns(), 200'000u);
}

// Of laps during which calls for more of it were held back: what one says may be how long it
// waited for them.
constexpr uint64_t kGuess = 20'000;
constexpr uint64_t kLong = 300'000'000;

TEST_F(CostTest, IsLongWhenItLastedLongTwiceInARow) {
  Cost& cost = table_->Of(1);
  cost.LearnDoubtful(kGuess);
  cost.LearnDistrusted(kLong, 0, kLong);
  EXPECT_EQ(cost.ns(), kGuess);
  EXPECT_FALSE(cost.is_sure());
  cost.LearnDistrusted(kLong, kLong, 2 * kLong);
  EXPECT_EQ(cost.ns(), kLong);
  cost.LearnDistrusted(kLong + kLong / 3, 2 * kLong, 4 * kLong);
  EXPECT_EQ(cost.ns(), kLong);
}

TEST_F(CostTest, IsNotLongForTwoThatWaitedAtTheSameTime) {
  Cost& cost = table_->Of(1);
  cost.LearnDoubtful(kGuess);
  cost.LearnDistrusted(kLong, 0, kLong);
  cost.LearnDistrusted(kLong, kLong / 2, 3 * kLong / 2);
  EXPECT_EQ(cost.ns(), kGuess);
}

TEST_F(CostTest, IsNotLongForTwoWithAShortOneInBetween) {
  Cost& cost = table_->Of(1);
  cost.LearnDoubtful(kGuess);
  cost.LearnDistrusted(kLong, 0, kLong);
  cost.Trust();
  cost.LearnDistrusted(kLong, kLong, 2 * kLong);
  EXPECT_EQ(cost.ns(), kGuess);
}

TEST_F(CostTest, IsShortAgainWhenItWaitsForAsLongAsItIsWaitedFor) {
  Cost& cost = table_->Of(1);
  cost.LearnDoubtful(kGuess);
  for (const uint64_t at_ns : {uint64_t{0}, kLong})
    cost.LearnDistrusted(kLong, at_ns, at_ns + kLong);
  cost.LearnDistrusted(2 * kLong, 2 * kLong, 4 * kLong);
  EXPECT_EQ(cost.ns(), kGuess);
}

TEST_F(CostTest, NamesThatComeOnceDoNotTakeThePlaceOfWhatIsKnown) {
  constexpr uint64_t kStep = 0x9e3779b97f4a7c15;  // all over the table
  for (uint64_t i = 1; i <= 1'000; ++i)
    for (int sample = 0; sample < 3; ++sample) table_->Of(i * kStep).Learn(50'000);
  for (uint64_t i = 2'000; i <= 30'000; ++i) table_->Of(i * kStep);
  int known = 0;
  for (uint64_t i = 1; i <= 1'000; ++i) known += table_->Of(i * kStep).samples() == 3 ? 1 : 0;
  EXPECT_EQ(known, 1'000);
}

TEST_F(CostTest, StaysWithinWhatWasMeasuredWhoeverLearnsAtTheSameTime) {
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 3; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint64_t i = 0; i < 20'000; ++i) {
        Cost& cost = table_->Of(kHome + 1 + i % kNeighbours);
        cost.Learn(1'000 + thread);
        ASSERT_GE(cost.ns(), 1'000u);
        ASSERT_LE(cost.ns(), 1'002u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint64_t i = 1; i <= kNeighbours; ++i) EXPECT_GT(table_->Of(kHome + i).samples(), 8u);
}

TEST_F(CostTest, ADoubtfulSampleStaysWhereTheNextAllowsForIt) {
  Cost cost{};
  cost.LearnDoubtful(3'000);
  cost.LearnBetween(0, 500'000);
  EXPECT_EQ(cost.ns(), 3'000u);
  cost.LearnDoubtful(3'000);
  cost.LearnRough(0, 500'000);
  EXPECT_EQ(cost.ns(), 3'000u);
  cost.LearnGuess(3'000);
  cost.LearnBetween(0, 500'000);
  EXPECT_EQ(cost.ns(), 500'000u) << "a guess says nothing";
}

// Nine of ten times the thread that waited for it had to wait for a processor, too.
TEST_F(CostTest, WhatIsMostlySeenLateIsKnownByThoseThatAreNot) {
  Cost cost{};
  cost.LearnDoubtful(2'000);
  for (int i = 0; i < 1'000; ++i) cost.LearnSeenLate(0, i % 10 == 9 ? 3'000 : 40'000);
  EXPECT_NEAR(static_cast<double>(cost.ns()), 3'000, 1'000);
}

TEST_F(CostTest, WhatIsSeenInTimeAndDiffersALittleIsKnownByItsMean) {
  Cost cost{};
  cost.LearnDoubtful(1'000'000);
  for (int i = 0; i < 1'000; ++i) cost.LearnSeenLate(0, 94'000 + i * 7'919 % 12'000);
  EXPECT_NEAR(static_cast<double>(cost.ns()), 100'000, 3'000);
}

TEST_F(CostTest, WhatLastedMuchLongerThanAnybodyIsLateIsRaisedByHalf) {
  Cost cost{};
  cost.LearnDoubtful(4'000);
  cost.LearnSeenLate(900'000, 960'000);
  EXPECT_EQ(cost.ns(), 6'000u);
}

}  // namespace
}  // namespace warpshare::interposer

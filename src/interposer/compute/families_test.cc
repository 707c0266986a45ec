#include "interposer/compute/families.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

namespace warpshare::interposer {
namespace {

class FamiliesTest : public testing::Test {
 protected:
  static Work Launch(uint64_t function, uint64_t blocks) {
    return work::Kernel(reinterpret_cast<const void*>(function),
                        work::ShapeOf(static_cast<unsigned>(blocks), 1, 1, 128, 0));
  }
  uint64_t PriceOf(const Work& work) {
    const Family* family = families_->Find(work);
    return family == nullptr ? 0 : family->NsOf(work.threads);
  }
  void Time(const Work& work, uint64_t ns) { families_->Of(work)->Teach(work.threads, ns); }

  std::unique_ptr<Families> families_ = std::make_unique<Families>();
};

TEST_F(FamiliesTest, NothingIsKnownOfAFunctionBeforeItWasTimed) {
  EXPECT_EQ(PriceOf(Launch(0x1000, 8)), 0u);
  families_->Of(Launch(0x1000, 8));
  EXPECT_EQ(PriceOf(Launch(0x1000, 8)), 0u);
}

TEST_F(FamiliesTest, AnotherShapeCostsWhatTheFirstDidOrMoreInProportion) {
  Time(Launch(0x1000, 8'000), 50'000);
  EXPECT_EQ(PriceOf(Launch(0x1000, 4'000)), 50'000u) << "rather too much than too little";
  EXPECT_EQ(PriceOf(Launch(0x1000, 80'000)), 500'000u);
  EXPECT_FALSE(families_->Find(Launch(0x1000, 80'000))->IsKnown());
  EXPECT_EQ(PriceOf(Launch(0x2000, 4)), 0u) << "of another function";
}

// A card does it all at once.
TEST_F(FamiliesTest, AFewThreadsSayLittleOfWhatManyCost) {
  Time(Launch(0x1000, 1), 10'000);
  EXPECT_EQ(PriceOf(Launch(0x1000, 500)), 10'000u);
  EXPECT_EQ(PriceOf(Launch(0x1000, 100'000)), 1'280'000u);
}

// 10 us and 2 us a thousand threads, give or take a tenth.
TEST_F(FamiliesTest, SeveralShapesTellWhatOthersCost) {
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    const uint64_t blocks = 1'000 + random() % 10'000;
    const uint64_t ns = 10'000 + 2 * 128 * blocks;
    Time(Launch(0x1000, blocks), ns * (90 + random() % 21) / 100);
  }
  for (const uint64_t blocks : {1'000, 5'000, 10'000, 40'000}) {
    const auto ns = static_cast<double>(10'000 + 2 * 128 * blocks);
    EXPECT_NEAR(static_cast<double>(PriceOf(Launch(0x1000, blocks))), ns, ns / 4) << blocks;
  }
  EXPECT_TRUE(families_->Find(Launch(0x1000, 7))->IsKnown());
}

TEST_F(FamiliesTest, TheSizeIsNoMatterWhereItMakesNoDifference) {
  for (const uint64_t blocks : {10, 1'000, 20, 500, 40}) Time(Launch(0x1000, blocks), 70'000);
  for (const uint64_t blocks : {1, 100, 10'000})
    EXPECT_NEAR(static_cast<double>(PriceOf(Launch(0x1000, blocks))), 70'000, 100) << blocks;
}

TEST_F(FamiliesTest, WhatBecomesLongerIsSoonKnown) {
  for (int i = 0; i < 40; ++i) Time(Launch(0x1000, 8 + i % 8), 10'000);
  for (int i = 0; i < 40; ++i) Time(Launch(0x1000, 8 + i % 8), 100'000);
  EXPECT_GT(PriceOf(Launch(0x1000, 12)), 85'000u);
}

TEST_F(FamiliesTest, BoundsMoveItOnlyIfItIsNotBetweenThem) {
  Time(Launch(0x1000, 8), 50'000);
  Family* family = families_->Of(Launch(0x1000, 8));
  family->TeachBetween(8 * 128, 40'000, 60'000);
  EXPECT_EQ(PriceOf(Launch(0x1000, 8)), 50'000u);
  family->TeachBetween(8 * 128, 80'000, 90'000);
  EXPECT_GT(PriceOf(Launch(0x1000, 8)), 55'000u);
}

TEST_F(FamiliesTest, ThePriceHasAnEnd) {
  Time(Launch(0x1000, 1), 1'000'000'000);
  EXPECT_EQ(PriceOf(Launch(0x1000, 2'000'000'000)), 100'000'000u);
}

TEST_F(FamiliesTest, ThousandsOfFunctionsHavePlaces) {
  int known = 0;
  for (uint64_t i = 1; i <= 2'000; ++i) Time(Launch(i * 4'096, 8), 50'000);
  for (uint64_t i = 1; i <= 2'000; ++i) known += PriceOf(Launch(i * 4'096, 8)) != 0 ? 1 : 0;
  EXPECT_GE(known, 1'990);
}

TEST_F(FamiliesTest, WhatIsNoKernelHasNoFamily) {
  EXPECT_EQ(PriceOf(work::Move(work::Path::kHost, 4096, 0)), 0u);
  EXPECT_EQ(families_->Of(work::Move(work::Path::kHost, 4096, 0)), nullptr);
}

}  // namespace
}  // namespace warpshare::interposer

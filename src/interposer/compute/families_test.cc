#include "interposer/compute/families.h"

#include <gtest/gtest.h>

#include <memory>

namespace warpshare::interposer {
namespace {

class FamiliesTest : public testing::Test {
 protected:
  static Work Launch(uint64_t function, uint64_t blocks) {
    return work::Kernel(reinterpret_cast<const void*>(function),
                        work::ShapeOf(static_cast<unsigned>(blocks), 1, 1, 128, 0));
  }
  uint64_t PriceOf(const Work& work) { return families_->PriceOf(work, costs_->Of(work.name)); }
  void Time(const Work& work, uint64_t ns) { costs_->Of(work.name).Learn(ns); }

  std::unique_ptr<Families> families_ = std::make_unique<Families>();
  std::unique_ptr<CostTable> costs_ = std::make_unique<CostTable>();
};

TEST_F(FamiliesTest, NothingIsKnownOfAFunctionBeforeItWasTimed) {
  EXPECT_EQ(PriceOf(Launch(0x1000, 8)), 0u);
  EXPECT_EQ(PriceOf(Launch(0x1000, 16)), 0u);
}

TEST_F(FamiliesTest, AnotherShapeCostsWhatTheFirstDidOrMoreInProportion) {
  PriceOf(Launch(0x1000, 8));
  Time(Launch(0x1000, 8), 50'000);
  EXPECT_EQ(PriceOf(Launch(0x1000, 4)), 50'000u) << "rather too much than too little";
  EXPECT_GE(PriceOf(Launch(0x1000, 80)), 500'000u);
  EXPECT_LE(PriceOf(Launch(0x1000, 80)), 600'000u);
  EXPECT_EQ(PriceOf(Launch(0x2000, 4)), 0u) << "of another function";
}

TEST_F(FamiliesTest, ThePriceHasAnEnd) {
  PriceOf(Launch(0x1000, 1));
  Time(Launch(0x1000, 1), 1'000'000'000);
  EXPECT_EQ(PriceOf(Launch(0x1000, 2'000'000'000)), 100'000'000u);
}

TEST_F(FamiliesTest, WhatIsNoKernelHasNoFamily) {
  EXPECT_EQ(PriceOf(work::Move(work::Path::kHost, 4096, 0)), 0u);
}

}  // namespace
}  // namespace warpshare::interposer

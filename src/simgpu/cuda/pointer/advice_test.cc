#include "simgpu/cuda/pointer/advice.h"

#include <gtest/gtest.h>

namespace simgpu::cuda {
namespace {

constexpr Location kCard0 = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
constexpr Location kCard1 = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
constexpr Location kNowhere = {};

auto Prefer(Location where) {
  return [where](Advice& advice) { advice.preferred = where; };
}

TEST(AdviceMap, KnowsNothingAtFirst) {
  const AdviceMap map;
  EXPECT_FALSE(map.Common(0, 100).read_mostly);
  EXPECT_EQ(map.Common(0, 100).preferred, kNowhere);
}

TEST(AdviceMap, TellsWhatHoldsForTheWholeRange) {
  AdviceMap map;
  map.Apply(100, 200, Prefer(kCard0));
  EXPECT_EQ(map.Common(100, 200).preferred, kCard0);
  EXPECT_EQ(map.Common(150, 160).preferred, kCard0);
  EXPECT_EQ(map.Common(99, 150).preferred, kNowhere);
  EXPECT_EQ(map.Common(150, 201).preferred, kNowhere);
  map.Apply(200, 300, Prefer(kCard0));
  EXPECT_EQ(map.Common(100, 300).preferred, kCard0);
}

TEST(AdviceMap, SplitsWhereAdviceDiffers) {
  AdviceMap map;
  map.Apply(100, 400, Prefer(kCard0));
  map.Apply(200, 300, Prefer(kCard1));
  EXPECT_EQ(map.Common(100, 200).preferred, kCard0);
  EXPECT_EQ(map.Common(200, 300).preferred, kCard1);
  EXPECT_EQ(map.Common(300, 400).preferred, kCard0);
  EXPECT_EQ(map.Common(100, 400).preferred, kNowhere);
}

TEST(AdviceMap, ListsCardsThatEveryPartNames) {
  AdviceMap map;
  map.Apply(0, 200, [](Advice& advice) { advice.accessed_by = {0, 1}; });
  map.Apply(100, 200, [](Advice& advice) { advice.accessed_by.erase(0); });
  EXPECT_EQ(map.Common(0, 100).accessed_by, (std::set<CUdevice>{0, 1}));
  EXPECT_EQ(map.Common(0, 200).accessed_by, (std::set<CUdevice>{1}));
}

TEST(AdviceMap, FillsGapsBetweenPieces) {
  AdviceMap map;
  map.Apply(100, 200, [](Advice& advice) { advice.read_mostly = true; });
  map.Apply(300, 400, [](Advice& advice) { advice.read_mostly = true; });
  map.Apply(0, 500, Prefer(kCard1));
  EXPECT_EQ(map.Common(0, 500).preferred, kCard1);
  EXPECT_TRUE(map.Common(320, 330).read_mostly);
  EXPECT_FALSE(map.Common(220, 230).read_mostly);
}

TEST(AdviceMap, ForgetsARange) {
  AdviceMap map;
  map.Apply(0, 300, Prefer(kCard0));
  map.Forget(100, 200);
  EXPECT_EQ(map.Common(0, 100).preferred, kCard0);
  EXPECT_EQ(map.Common(100, 200).preferred, kNowhere);
  EXPECT_EQ(map.Common(200, 300).preferred, kCard0);
}

}  // namespace
}  // namespace simgpu::cuda

#include "interposer/accounts/array_sizes.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

constexpr ArrayShape kShape = {.descriptor = {.Width = 100,
                                              .Height = 50,
                                              .Depth = 3,
                                              .Format = CU_AD_FORMAT_FLOAT,
                                              .NumChannels = 2,
                                              .Flags = CUDA_ARRAY3D_LAYERED},
                               .levels = 0};

TEST(ArraySizes, AreKnownOnceTheyWereTold) {
  ArraySizes sizes;
  EXPECT_EQ(sizes.Find(kShape, 0), 0u);
  sizes.Remember(kShape, 0, 65536);
  EXPECT_EQ(sizes.Find(kShape, 0), 65536u);
}

TEST(ArraySizes, AreOfThatShapeOnThatDevice) {
  ArraySizes sizes;
  sizes.Remember(kShape, 0, 65536);
  EXPECT_EQ(sizes.Find(kShape, 1), 0u);
  ArrayShape others[7] = {kShape, kShape, kShape, kShape, kShape, kShape, kShape};
  others[0].descriptor.Width = 101;
  others[1].descriptor.Height = 51;
  others[2].descriptor.Depth = 4;
  others[3].descriptor.Format = CU_AD_FORMAT_HALF;
  others[4].descriptor.NumChannels = 4;
  others[5].descriptor.Flags = CUDA_ARRAY3D_CUBEMAP;
  others[6].levels = 1;
  for (const ArrayShape& other : others) EXPECT_EQ(sizes.Find(other, 0), 0u);
}

// Two that meet in one place: the later one is known.
TEST(ArraySizes, ForgetOldOnesAndNeverTellAnothersSize) {
  ArraySizes sizes;
  ArrayShape shape = kShape;
  for (size_t width = 1; width <= 1000; ++width) {
    shape.descriptor.Width = width;
    sizes.Remember(shape, 0, width);
    EXPECT_EQ(sizes.Find(shape, 0), width);
  }
  for (size_t width = 1; width <= 1000; ++width) {
    shape.descriptor.Width = width;
    const uint64_t known = sizes.Find(shape, 0);
    EXPECT_TRUE(known == 0 || known == width);
  }
}

}  // namespace
}  // namespace warpshare::interposer

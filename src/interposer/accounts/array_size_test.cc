#include "interposer/accounts/array_size.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

ArrayShape Shape(size_t width, size_t height, size_t depth) {
  return {.descriptor = {.Width = width,
                         .Height = height,
                         .Depth = depth,
                         .Format = CU_AD_FORMAT_FLOAT,
                         .NumChannels = 1,
                         .Flags = 0},
          .levels = 0};
}

TEST(ArraySize, MultipliesSidesChannelsAndElement) {
  EXPECT_EQ(ElementBytes(Shape(100, 0, 0)), 400u);
  EXPECT_EQ(ElementBytes(Shape(100, 50, 0)), 20'000u);
  ArrayShape shape = Shape(100, 50, 3);
  shape.descriptor.NumChannels = 4;
  EXPECT_EQ(ElementBytes(shape), 240'000u);
}

TEST(ArraySize, AddsTheLevelsOfAMipmapDownToOneTexel) {
  ArrayShape shape = Shape(8, 4, 0);
  shape.levels = 100;  // 8x4, 4x2, 2x1, 1x1
  EXPECT_EQ(ElementBytes(shape), 4u * (32 + 8 + 2 + 1));
}

TEST(ArraySize, KeepsLayersAndFacesAtEveryLevel) {
  ArrayShape shape = Shape(4, 4, 6);
  shape.descriptor.Flags = CUDA_ARRAY3D_CUBEMAP;
  shape.levels = 2;
  EXPECT_EQ(ElementBytes(shape), 4u * 6 * (16 + 4));
  shape.descriptor.Flags = 0;  // a volume halves its depth too
  EXPECT_EQ(ElementBytes(shape), 4u * (16 * 6 + 4 * 3));
}

TEST(ArraySize, CountsCompressedFormatsByBlocksAndVideoByPairs) {
  ArrayShape shape = Shape(5, 5, 0);
  shape.descriptor.Format = CU_AD_FORMAT_BC1_UNORM;
  EXPECT_EQ(ElementBytes(shape), 4u * 8);
  shape.descriptor.Format = CU_AD_FORMAT_BC7_UNORM;
  EXPECT_EQ(ElementBytes(shape), 4u * 16);
  shape = Shape(64, 32, 0);
  shape.descriptor.Format = CU_AD_FORMAT_NV12;
  EXPECT_EQ(ElementBytes(shape), 64u * 32 * 3 / 2);
}

TEST(ArraySize, SaysTooMuchWhereASizeOverflows) {
  EXPECT_EQ(ElementBytes(Shape(SIZE_MAX, SIZE_MAX, 2)), UINT64_MAX);
}

TEST(ArraySize, LeavesArraysThatTheProgramMapsUncharged) {
  ArrayShape shape = Shape(64, 64, 0);
  EXPECT_TRUE(HasOwnMemory(shape));
  shape.descriptor.Flags = CUDA_ARRAY3D_SPARSE;
  EXPECT_FALSE(HasOwnMemory(shape));
  shape.descriptor.Flags = CUDA_ARRAY3D_DEFERRED_MAPPING;
  EXPECT_FALSE(HasOwnMemory(shape));
}

}  // namespace
}  // namespace warpshare::interposer

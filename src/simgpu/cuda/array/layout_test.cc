#include "simgpu/cuda/array/layout.h"

#include <gtest/gtest.h>

namespace simgpu::cuda {
namespace {

constexpr unsigned kLayered = CUDA_ARRAY3D_LAYERED;
constexpr unsigned kCube = CUDA_ARRAY3D_CUBEMAP;

struct Case {
  const char* name;
  CUDA_ARRAY3D_DESCRIPTOR descriptor;
  CUresult result;
  size_t bytes;
};

const Case kCases[] = {
    {"1D", {100, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0}, CUDA_SUCCESS, 400},
    {"2D", {100, 10, 0, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0}, CUDA_SUCCESS, 4000},
    {"3D", {8, 4, 2, CU_AD_FORMAT_HALF, 2, 0}, CUDA_SUCCESS, 256},
    {"1D layered", {16, 0, 5, CU_AD_FORMAT_SIGNED_INT16, 1, kLayered}, CUDA_SUCCESS, 160},
    {"2D layered", {16, 2, 5, CU_AD_FORMAT_SIGNED_INT32, 1, kLayered}, CUDA_SUCCESS, 640},
    {"cubemap", {4, 4, 6, CU_AD_FORMAT_FLOAT, 4, kCube}, CUDA_SUCCESS, 1536},
    {"fixed channels", {4, 4, 0, CU_AD_FORMAT_UNORM_INT8X4, 4, 0}, CUDA_SUCCESS, 64},
    {"no width", {0, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0}, CUDA_ERROR_INVALID_VALUE, 0},
    {"three channels", {4, 4, 0, CU_AD_FORMAT_FLOAT, 3, 0}, CUDA_ERROR_INVALID_VALUE, 0},
    {"wrong channels", {4, 4, 0, CU_AD_FORMAT_SNORM_INT16X2, 4, 0}, CUDA_ERROR_INVALID_VALUE, 0},
    {"no format", {4, 4, 0, CUarray_format(0x77), 1, 0}, CUDA_ERROR_INVALID_VALUE, 0},
    {"unknown flag", {4, 4, 0, CU_AD_FORMAT_FLOAT, 1, 0x8000}, CUDA_ERROR_INVALID_VALUE, 0},
    {"depth without height", {4, 0, 4, CU_AD_FORMAT_FLOAT, 1, 0}, CUDA_ERROR_INVALID_VALUE, 0},
    {"too wide", {131073, 1, 0, CU_AD_FORMAT_FLOAT, 1, 0}, CUDA_ERROR_INVALID_VALUE, 0},
    {"five faces", {4, 4, 5, CU_AD_FORMAT_FLOAT, 1, kCube}, CUDA_ERROR_INVALID_VALUE, 0},
    {"oblong cubemap", {4, 8, 6, CU_AD_FORMAT_FLOAT, 1, kCube}, CUDA_ERROR_INVALID_VALUE, 0},
    {"block-compressed", {4, 4, 0, CU_AD_FORMAT_BC1_UNORM, 4, 0}, CUDA_ERROR_NOT_SUPPORTED, 0},
    {"sparse", {4, 4, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SPARSE}, CUDA_ERROR_NOT_SUPPORTED, 0},
};

TEST(ArrayLayout, KnowsEveryKindOfArray) {
  for (const Case& it : kCases) {
    SCOPED_TRACE(it.name);
    ArrayLayout layout;
    EXPECT_EQ(LayOut(it.descriptor, &layout), it.result);
    if (it.result == CUDA_SUCCESS) {
      EXPECT_EQ(layout.bytes(), it.bytes);
    }
  }
}

TEST(ArrayLayout, HalvesLevelsButNotLayers) {
  std::vector<ArrayLayout> levels;
  ASSERT_EQ(LayOutLevels({64, 16, 8, CU_AD_FORMAT_FLOAT, 1, 0}, 7, &levels), CUDA_SUCCESS);
  ASSERT_EQ(levels.size(), 7u);
  EXPECT_EQ(levels[1].bytes(), 32u * 8 * 4 * 4);
  EXPECT_EQ(levels[6].bytes(), 4u);
  ASSERT_EQ(LayOutLevels({64, 16, 3, CU_AD_FORMAT_FLOAT, 1, kLayered}, 2, &levels), CUDA_SUCCESS);
  EXPECT_EQ(levels[1].bytes(), 32u * 8 * 3 * 4);
}

TEST(ArrayLayout, PutsLevelsOneAfterAnother) {
  std::vector<ArrayLayout> levels;
  ASSERT_EQ(LayOutLevels({100, 100, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1, 0}, 99, &levels),
            CUDA_SUCCESS);
  ASSERT_EQ(levels.size(), 7u);  // 100, 50, 25, 12, 6, 3, 1
  for (size_t i = 1; i < levels.size(); i++) {
    EXPECT_GE(levels[i].offset, levels[i - 1].offset + levels[i - 1].bytes());
    EXPECT_EQ(levels[i].offset % 512, 0u);
  }
  EXPECT_EQ(LayOutLevels({100, 0, 0, CU_AD_FORMAT_FLOAT, 1, 0}, 0, &levels), CUDA_SUCCESS);
  EXPECT_EQ(levels.size(), 1u);
}

TEST(ArrayLayout, ChargesWholeSteps) {
  EXPECT_EQ(ChargedBytes(1), 65536u);
  EXPECT_EQ(ChargedBytes(65536), 65536u);
  EXPECT_EQ(ChargedBytes(65537), 131072u);
}

}  // namespace
}  // namespace simgpu::cuda

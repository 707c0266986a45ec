#include "simgpu/cuda/array/array.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/copy/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

class ArrayTest : public simgpu::testing::ContextTest {
 protected:
  static CUarray Make2D(size_t width, size_t height) {
    const CUDA_ARRAY_DESCRIPTOR descriptor = {width, height, CU_AD_FORMAT_FLOAT, 1};
    CUarray array = nullptr;
    EXPECT_EQ(cuArrayCreate_v2(&array, &descriptor), CUDA_SUCCESS);
    return array;
  }
};

TEST_F(ArrayTest, TakesItsSizeFromTheCardAndGivesItBack) {
  const size_t before = Free();
  CUarray array = Make2D(1000, 100);
  EXPECT_EQ(before - Free(), 458752u);  // 400,000 bytes in steps of 64 KiB
  EXPECT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
  EXPECT_EQ(cuArrayDestroy(array), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ArrayTest, KeepsWhatIsCopiedIn) {
  CUarray array = Make2D(8, 4);
  std::vector<float> sent(32);
  std::iota(sent.begin(), sent.end(), 1.0f);
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = sent.data();
  copy.srcPitch = 32;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 32;
  copy.Height = 4;
  ASSERT_EQ(cuMemcpy2D_v2(&copy), CUDA_SUCCESS);
  float row[8] = {};
  CUDA_MEMCPY2D back = {};
  back.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  back.srcArray = array;
  back.srcY = 2;
  back.dstMemoryType = CU_MEMORYTYPE_HOST;
  back.dstHost = row;
  back.WidthInBytes = 32;
  back.Height = 1;
  ASSERT_EQ(cuMemcpy2D_v2(&back), CUDA_SUCCESS);
  EXPECT_EQ(row[0], 17.0f);
  back.srcY = 4;
  EXPECT_EQ(cuMemcpy2D_v2(&back), CUDA_ERROR_INVALID_VALUE);
  back.srcY = 0;
  back.srcXInBytes = 2;  // not a whole element
  EXPECT_EQ(cuMemcpy2D_v2(&back), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ArrayTest, CopiesRunsToAndFrom) {
  const CUDA_ARRAY_DESCRIPTOR descriptor = {256, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  CUarray array = nullptr;
  CUarray other = nullptr;
  ASSERT_EQ(cuArrayCreate_v2(&array, &descriptor), CUDA_SUCCESS);
  ASSERT_EQ(cuArrayCreate_v2(&other, &descriptor), CUDA_SUCCESS);
  const char sent[] = "one dimension";
  char received[sizeof(sent)] = {};
  ASSERT_EQ(cuMemcpyHtoA_v2(array, 10, sent, sizeof(sent)), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyAtoA_v2(other, 20, array, 10, sizeof(sent)), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyAtoH_v2(received, other, 20, sizeof(sent)), CUDA_SUCCESS);
  EXPECT_STREQ(received, sent);
  EXPECT_EQ(cuMemcpyHtoA_v2(array, 250, sent, sizeof(sent)), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ArrayTest, TellsItsDescriptor) {
  const CUDA_ARRAY3D_DESCRIPTOR made = {4, 5, 6, CU_AD_FORMAT_HALF, 2, CUDA_ARRAY3D_SURFACE_LDST};
  CUarray array = nullptr;
  ASSERT_EQ(cuArray3DCreate_v2(&array, &made), CUDA_SUCCESS);
  CUDA_ARRAY3D_DESCRIPTOR told = {};
  ASSERT_EQ(cuArray3DGetDescriptor_v2(&told, array), CUDA_SUCCESS);
  EXPECT_EQ(told.Depth, 6u);
  EXPECT_EQ(told.NumChannels, 2u);
  CUDA_ARRAY_DESCRIPTOR flat = {};
  ASSERT_EQ(cuArrayGetDescriptor_v2(&flat, array), CUDA_SUCCESS);
  EXPECT_EQ(flat.Height, 5u);
  EXPECT_EQ(cuArray3DGetDescriptor_v2(&told, nullptr), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ArrayTest, OwnsTheLevelsOfAMipmap) {
  const size_t before = Free();
  const CUDA_ARRAY3D_DESCRIPTOR descriptor = {64, 64, 0, CU_AD_FORMAT_FLOAT, 4, 0};
  CUmipmappedArray mipmap = nullptr;
  ASSERT_EQ(cuMipmappedArrayCreate(&mipmap, &descriptor, 3), CUDA_SUCCESS);
  CUarray level = nullptr;
  ASSERT_EQ(cuMipmappedArrayGetLevel(&level, mipmap, 2), CUDA_SUCCESS);
  CUDA_ARRAY_DESCRIPTOR told = {};
  ASSERT_EQ(cuArrayGetDescriptor_v2(&told, level), CUDA_SUCCESS);
  EXPECT_EQ(told.Width, 16u);
  EXPECT_EQ(cuArrayDestroy(level), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuMipmappedArrayGetLevel(&level, mipmap, 3), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMipmappedArrayDestroy(mipmap), CUDA_SUCCESS);
  EXPECT_EQ(cuArrayGetDescriptor_v2(&told, level), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(Free(), before);
}

TEST_F(ArrayTest, SaysWhatADeferredArrayWouldTake) {
  const size_t before = Free();
  CUDA_ARRAY3D_DESCRIPTOR descriptor = {
      1000, 100, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING};
  CUarray array = nullptr;
  ASSERT_EQ(cuArray3DCreate_v2(&array, &descriptor), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
  CUDA_ARRAY_MEMORY_REQUIREMENTS needs = {};
  ASSERT_EQ(cuArrayGetMemoryRequirements(&needs, array, 0), CUDA_SUCCESS);
  EXPECT_EQ(needs.size, 458752u);
  char byte = 0;
  EXPECT_EQ(cuMemcpyAtoH_v2(&byte, array, 0, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
  EXPECT_EQ(cuArrayGetMemoryRequirements(&needs, Make2D(8, 8), 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ArrayTest, IsNoMemoryThatPointersReach) {
  CUarray array = Make2D(64, 64);
  const auto hidden = reinterpret_cast<CUdeviceptr>(simgpu::cuda::Array::From(array)->data());
  CUdeviceptr base = 0;
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, nullptr, hidden), CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(cuMemsetD8_v2(hidden, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(hidden), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ArrayTest, DescribesTexturesAndSurfaces) {
  CUDA_RESOURCE_DESC resource = {};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = Make2D(8, 8);
  const CUDA_TEXTURE_DESC description = {};
  CUtexObject texture = 0;
  ASSERT_EQ(cuTexObjectCreate(&texture, &resource, &description, nullptr), CUDA_SUCCESS);
  CUDA_RESOURCE_DESC told = {};
  EXPECT_EQ(cuTexObjectGetResourceDesc(&told, texture), CUDA_SUCCESS);
  EXPECT_EQ(told.res.array.hArray, resource.res.array.hArray);
  EXPECT_EQ(cuTexObjectDestroy(texture), CUDA_SUCCESS);
  EXPECT_EQ(cuTexObjectDestroy(texture), CUDA_ERROR_INVALID_VALUE);
  CUsurfObject surface = 0;
  EXPECT_EQ(cuSurfObjectCreate(&surface, &resource), CUDA_ERROR_INVALID_VALUE);  // not made for it
}

}  // namespace

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

class AllocateTest : public simgpu::testing::ContextTest {};

TEST_F(AllocateTest, ChargesExactlyWhatIsAskedFor) {
  const size_t before = Free();
  for (const size_t bytes : {size_t{1}, size_t{1000}, size_t{1} << 20, (size_t{3} << 20) + 7}) {
    CUdeviceptr pointer = 0;
    ASSERT_EQ(cuMemAlloc_v2(&pointer, bytes), CUDA_SUCCESS);
    EXPECT_EQ(before - Free(), bytes);
    EXPECT_EQ(pointer % 512, 0u);
    ASSERT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
    EXPECT_EQ(Free(), before);
  }
}

TEST_F(AllocateTest, RefusesZeroBytesAndNoPlaceForTheAnswer) {
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuMemAlloc_v2(&pointer, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAlloc_v2(nullptr, 16), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(AllocateTest, RefusesMoreThanThereIsAndChangesNothing) {
  const size_t before = Free();
  CUdeviceptr pointer = 0x1234;
  EXPECT_EQ(cuMemAlloc_v2(&pointer, before + 1), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemAlloc_v2(&pointer, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(pointer, 0x1234u);
  EXPECT_EQ(Free(), before);
  ASSERT_EQ(cuMemAlloc_v2(&pointer, before), CUDA_SUCCESS);  // all of it
  EXPECT_EQ(Free(), 0u);
}

TEST_F(AllocateTest, NeedsAContext) {
  ASSERT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuMemAlloc_v2(&pointer, 16), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuMemFree_v2(16), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuMemGetInfo_v2(nullptr, nullptr), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(AllocateTest, FreesItsMemoryInAThreadThatHasLetGoOfItsContext) {
  const size_t before = Free();
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAlloc_v2(&pointer, 4096), CUDA_SUCCESS);
  CUdeviceptr managed = 0;
  ASSERT_EQ(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuMemFree_v2(managed), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
}

TEST_F(AllocateTest, FreesOnlyWhatItGave) {
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAlloc_v2(&pointer, 4096), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(pointer + 512), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_VALUE);
  int on_the_stack = 0;
  EXPECT_EQ(cuMemFree_v2(reinterpret_cast<CUdeviceptr>(&on_the_stack)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFree_v2(0), CUDA_SUCCESS);
}

TEST_F(AllocateTest, GivesPitchedMemoryWithAlignedRows) {
  const size_t before = Free();
  CUdeviceptr pointer = 0;
  size_t pitch = 0;
  ASSERT_EQ(cuMemAllocPitch_v2(&pointer, &pitch, 1000, 10, 4), CUDA_SUCCESS);
  EXPECT_EQ(pitch, 1024u);
  EXPECT_EQ(before - Free(), 10240u);
  EXPECT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAllocPitch_v2(&pointer, &pitch, 1000, 10, 3), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocPitch_v2(&pointer, &pitch, 0, 10, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocPitch_v2(&pointer, &pitch, 1000, SIZE_MAX / 1000, 4),
            CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_F(AllocateTest, LetsTheHostUseManagedMemory) {
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAllocManaged(&pointer, 8192, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  std::memset(reinterpret_cast<void*>(pointer), 7, 8192);
  unsigned char read = 0;
  ASSERT_EQ(cuMemcpyDtoH_v2(&read, pointer + 8191, 1), CUDA_SUCCESS);
  EXPECT_EQ(read, 7);
  EXPECT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAllocManaged(&pointer, 8192, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocManaged(&pointer, 8192, CU_MEM_ATTACH_SINGLE), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(AllocateTest, GivesOldFunctionsAddressesTheyCanHold) {
  CUdeviceptr_v1 pointer = 0;
  ASSERT_EQ(cuMemAlloc(&pointer, 10000), CUDA_SUCCESS);
  const char sent[] = "through 32 bits";
  char received[sizeof(sent)] = {};
  ASSERT_EQ(cuMemcpyHtoD(pointer + 100, sent, sizeof(sent)), CUDA_SUCCESS);
  ASSERT_EQ(cuMemcpyDtoH(received, pointer + 100, sizeof(sent)), CUDA_SUCCESS);
  EXPECT_STREQ(received, sent);
  CUdeviceptr_v1 base = 0;
  unsigned size = 0;
  ASSERT_EQ(cuMemGetAddressRange(&base, &size, pointer + 9999), CUDA_SUCCESS);
  EXPECT_EQ(base, pointer);
  EXPECT_EQ(size, 10000u);
  EXPECT_EQ(cuMemFree(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree(pointer), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(AllocateTest, TellsTheRangeOfAnAllocation) {
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAlloc_v2(&pointer, 5000), CUDA_SUCCESS);
  CUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &size, pointer + 4999), CUDA_SUCCESS);
  EXPECT_EQ(base, pointer);
  EXPECT_EQ(size, 5000u);
  EXPECT_EQ(cuMemGetAddressRange_v2(nullptr, nullptr, pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuMemGetAddressRange_v2(&base, &size, pointer + 5000), CUDA_ERROR_NOT_FOUND);
}

TEST_F(AllocateTest, ToleratesQueriesThatWantNothing) {
  EXPECT_EQ(cuMemGetInfo_v2(nullptr, nullptr), CUDA_SUCCESS);
  size_t total = 0;
  EXPECT_EQ(cuMemGetInfo_v2(nullptr, &total), CUDA_SUCCESS);
  EXPECT_EQ(total, size_t{4} << 30);
}

TEST_F(AllocateTest, GivesEverythingBackWithItsContext) {
  const size_t before = Free();
  CUcontext other = nullptr;
  ASSERT_EQ(cuCtxCreate_v2(&other, 0, 0), CUDA_SUCCESS);
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAlloc_v2(&pointer, 1 << 20), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAllocManaged(&pointer, 100, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAllocAsync(&pointer, 1 << 20, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuMemFreeAsync(pointer, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxDestroy_v2(other), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
}

TEST_F(AllocateTest, FreesAcrossTheTwoFamilies) {
  const size_t before = Free();
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAllocAsync(&pointer, 1 << 20, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFree_v2(pointer), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemAlloc_v2(&pointer, 1 << 20), CUDA_SUCCESS);
  ASSERT_EQ(cuMemFreeAsync(pointer, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFreeAsync(pointer, nullptr), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
}

}  // namespace

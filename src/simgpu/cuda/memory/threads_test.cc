#include <gtest/gtest.h>

#include <random>
#include <thread>
#include <vector>

#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/vmm/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

constexpr size_t kBlock = 2 << 20;

class ThreadsTest : public simgpu::testing::ContextTest {};

void Linear(std::mt19937& random) {
  CUdeviceptr pointer = 0;
  const size_t bytes = random() % 200000 + 1;
  ASSERT_EQ(cuMemAlloc_v2(&pointer, bytes), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8_v2(pointer, 1, bytes), CUDA_SUCCESS);
  size_t size = 0;
  ASSERT_EQ(cuMemGetAddressRange_v2(nullptr, &size, pointer + bytes - 1), CUDA_SUCCESS);
  ASSERT_EQ(size, bytes);
  ASSERT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
}

void StreamOrdered(CUstream stream, std::mt19937& random) {
  CUdeviceptr pointer = 0;
  const size_t bytes = random() % 3000000 + 1;
  ASSERT_EQ(cuMemAllocAsync(&pointer, bytes, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuMemsetD8Async(pointer, 2, bytes, stream), CUDA_SUCCESS);
  ASSERT_EQ(cuMemFreeAsync(pointer, stream), CUDA_SUCCESS);
  if (random() % 8 != 0) return;
  ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
}

void Virtual() {
  CUmemAllocationProp props = {};
  props.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemGenericAllocationHandle handle = 0;
  ASSERT_EQ(cuMemCreate(&handle, kBlock, &props, 0), CUDA_SUCCESS);
  CUdeviceptr base = 0;
  ASSERT_EQ(cuMemAddressReserve(&base, kBlock, 0, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemMap(base, kBlock, 0, handle, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemRelease(handle), CUDA_SUCCESS);
  ASSERT_EQ(cuMemUnmap(base, kBlock), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAddressFree(base, kBlock), CUDA_SUCCESS);
}

void OneArray() {
  const CUDA_ARRAY_DESCRIPTOR descriptor = {100, 100, CU_AD_FORMAT_FLOAT, 1};
  CUarray array = nullptr;
  ASSERT_EQ(cuArrayCreate_v2(&array, &descriptor), CUDA_SUCCESS);
  ASSERT_EQ(cuArrayDestroy(array), CUDA_SUCCESS);
}

void UseEveryFamily(CUcontext context, unsigned seed) {
  ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
  CUstream stream = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  std::mt19937 random(seed);
  for (int round = 0; round < 100; round++) {
    switch (random() % 4) {
      case 0:
        Linear(random);
        break;
      case 1:
        StreamOrdered(stream, random);
        break;
      case 2:
        Virtual();
        break;
      case 3:
        OneArray();
        break;
    }
  }
  ASSERT_EQ(cuStreamDestroy_v2(stream), CUDA_SUCCESS);
}

TEST_F(ThreadsTest, UseEveryFamilyAtOnceAndLeaveNothing) {
  const size_t before = Free();
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 8; seed++) threads.emplace_back(UseEveryFamily, context_, seed);
  for (std::thread& thread : threads) thread.join();
  ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
}

}  // namespace

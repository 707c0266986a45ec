#include <gtest/gtest.h>

#include <vector>

#include "simgpu/cuda/pointer/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

class PointerTest : public simgpu::testing::ContextTest {
 protected:
  template <class Value>
  static Value Get(CUpointer_attribute attribute, CUdeviceptr pointer) {
    Value value = {};
    EXPECT_EQ(cuPointerGetAttribute(&value, attribute, pointer), CUDA_SUCCESS) << attribute;
    return value;
  }

  static CUdeviceptr Device(size_t bytes = 4096) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(cuMemAlloc_v2(&pointer, bytes), CUDA_SUCCESS);
    return pointer;
  }
};

TEST_F(PointerTest, DescribesDeviceMemory) {
  const CUdeviceptr pointer = Device() + 100;
  EXPECT_EQ(Get<CUcontext>(CU_POINTER_ATTRIBUTE_CONTEXT, pointer), context_);
  EXPECT_EQ(Get<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer),
            unsigned{CU_MEMORYTYPE_DEVICE});
  EXPECT_EQ(Get<CUdeviceptr>(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, pointer), pointer);
  EXPECT_EQ(Get<int>(CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer), 0);
  EXPECT_EQ(Get<int>(CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer), 0);
  EXPECT_EQ(Get<int>(CU_POINTER_ATTRIBUTE_MAPPED, pointer), 1);
  EXPECT_EQ(Get<int>(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, pointer), 1);
  EXPECT_EQ(Get<CUdeviceptr>(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer), pointer - 100);
  EXPECT_EQ(Get<size_t>(CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer), 4096u);
  EXPECT_EQ(Get<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, pointer), nullptr);
  void* host = nullptr;
  EXPECT_EQ(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, pointer),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(PointerTest, DescribesHostAndManagedMemory) {
  void* host = nullptr;
  ASSERT_EQ(cuMemAllocHost_v2(&host, 4096), CUDA_SUCCESS);
  const auto pinned = reinterpret_cast<CUdeviceptr>(host);
  EXPECT_EQ(Get<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pinned), unsigned{CU_MEMORYTYPE_HOST});
  EXPECT_EQ(Get<void*>(CU_POINTER_ATTRIBUTE_HOST_POINTER, pinned), host);
  CUdeviceptr managed = 0;
  ASSERT_EQ(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  EXPECT_EQ(Get<int>(CU_POINTER_ATTRIBUTE_IS_MANAGED, managed), 1);
  EXPECT_EQ(Get<unsigned>(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, managed),
            unsigned{CU_MEMORYTYPE_DEVICE});
  EXPECT_EQ(Get<void*>(CU_POINTER_ATTRIBUTE_HOST_POINTER, managed),
            reinterpret_cast<void*>(managed));
}

TEST_F(PointerTest, NamesThePoolOfStreamOrderedMemory) {
  CUmemoryPool pool = nullptr;
  ASSERT_EQ(cuDeviceGetMemPool(&pool, 0), CUDA_SUCCESS);
  CUdeviceptr pointer = 0;
  ASSERT_EQ(cuMemAllocAsync(&pointer, 4096, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(Get<CUmemoryPool>(CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, pointer), pool);
  EXPECT_EQ(Get<CUcontext>(CU_POINTER_ATTRIBUTE_CONTEXT, pointer), nullptr);
  EXPECT_EQ(Get<int>(CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, pointer), 0);
}

TEST_F(PointerTest, NeverGivesABufferIdTwice) {
  const CUdeviceptr pointer = Device();
  const auto first = Get<unsigned long long>(CU_POINTER_ATTRIBUTE_BUFFER_ID, pointer);
  ASSERT_EQ(cuMemFree_v2(pointer), CUDA_SUCCESS);
  const auto second = Get<unsigned long long>(CU_POINTER_ATTRIBUTE_BUFFER_ID, Device());
  EXPECT_NE(first, second);
}

TEST_F(PointerTest, SaysNothingOfUnknownPointersInTwoWays) {
  int stranger = 0;
  const auto pointer = reinterpret_cast<CUdeviceptr>(&stranger);
  CUcontext context = context_;
  EXPECT_EQ(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, pointer),
            CUDA_ERROR_INVALID_VALUE);
  unsigned type = 99;
  int ordinal = 99;
  CUpointer_attribute attributes[] = {CU_POINTER_ATTRIBUTE_CONTEXT,
                                      CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* values[] = {&context, &type, &ordinal};
  EXPECT_EQ(cuPointerGetAttributes(3, attributes, values, pointer), CUDA_SUCCESS);
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(type, 0u);
  EXPECT_EQ(ordinal, CU_DEVICE_INVALID);
}

TEST_F(PointerTest, SetsOnlyWhatCanBeSet) {
  const CUdeviceptr pointer = Device();
  const unsigned on = 1;
  EXPECT_EQ(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer), CUDA_SUCCESS);
  EXPECT_EQ(Get<int>(CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, pointer), 1);
  EXPECT_EQ(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_BUFFER_ID, pointer),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuPointerSetAttribute(&on, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, 16),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(PointerTest, RemembersAdviceOnManagedMemory) {
  CUdeviceptr managed = 0;
  ASSERT_EQ(cuMemAllocManaged(&managed, 16384, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAdvise(managed, 16384, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuMemAdvise(managed, 16384, CU_MEM_ADVISE_SET_ACCESSED_BY, CU_DEVICE_CPU),
            CUDA_SUCCESS);
  int preferred = -9;
  EXPECT_EQ(cuMemRangeGetAttribute(&preferred, 4, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
                                   managed, 16384),
            CUDA_SUCCESS);
  EXPECT_EQ(preferred, 1);
  int accessed[2] = {-9, -9};
  EXPECT_EQ(cuMemRangeGetAttribute(accessed, sizeof(accessed), CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
                                   managed, 16384),
            CUDA_SUCCESS);
  EXPECT_EQ(accessed[0], CU_DEVICE_CPU);
  EXPECT_EQ(accessed[1], CU_DEVICE_INVALID);
  EXPECT_EQ(cuMemRangeGetAttribute(&preferred, 8, CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
                                   managed, 16384),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAdvise(Device(), 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAdvise(managed, 16384, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, 9),
            CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(PointerTest, RemembersTheLastPrefetch) {
  CUdeviceptr managed = 0;
  ASSERT_EQ(cuMemAllocManaged(&managed, 16384, CU_MEM_ATTACH_GLOBAL), CUDA_SUCCESS);
  ASSERT_EQ(cuMemPrefetchAsync(managed, 8192, 0, nullptr), CUDA_SUCCESS);
  int last = -9;
  EXPECT_EQ(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, managed,
                                   8192),
            CUDA_SUCCESS);
  EXPECT_EQ(last, 0);
  EXPECT_EQ(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, managed,
                                   16384),
            CUDA_SUCCESS);
  EXPECT_EQ(last, CU_DEVICE_INVALID);
  EXPECT_EQ(cuMemPrefetchAsync_v2(managed, 100, {CU_MEM_LOCATION_TYPE_HOST, 0}, 1, nullptr),
            CUDA_ERROR_INVALID_VALUE);
  CUstream stream = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  CUdeviceptr ranges[] = {managed, managed + 8192};
  size_t sizes[] = {4096, 4096};
  CUmemLocation targets[] = {{CU_MEM_LOCATION_TYPE_DEVICE, 1}, {CU_MEM_LOCATION_TYPE_HOST, 0}};
  size_t starts[] = {0, 1};
  EXPECT_EQ(cuMemPrefetchBatchAsync(ranges, sizes, 2, targets, starts, 2, 0, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemRangeGetAttribute(&last, 4, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                                   managed + 8192, 4096),
            CUDA_SUCCESS);
  EXPECT_EQ(last, CU_DEVICE_CPU);
  EXPECT_EQ(cuMemDiscardBatchAsync(ranges, sizes, 2, 0, stream), CUDA_SUCCESS);
  EXPECT_EQ(cuMemDiscardBatchAsync(ranges, sizes, 2, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
}

}  // namespace

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

constexpr size_t kMiB = 1 << 20;
constexpr size_t kSegment = 32 * kMiB;

class PoolTest : public simgpu::testing::ContextTest {
 protected:
  void SetUp() override {
    ContextTest::SetUp();
    ASSERT_EQ(cuDeviceGetDefaultMemPool(&standard_, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuDeviceSetMemPool(0, standard_), CUDA_SUCCESS);
    Set(standard_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 0);
    ASSERT_EQ(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamCreate(&other_, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  }

  static uint64_t Get(CUmemoryPool pool, CUmemPool_attribute attribute) {
    uint64_t value = 0;
    EXPECT_EQ(cuMemPoolGetAttribute(pool, attribute, &value), CUDA_SUCCESS);
    return value;
  }

  static void Set(CUmemoryPool pool, CUmemPool_attribute attribute, uint64_t value) {
    EXPECT_EQ(cuMemPoolSetAttribute(pool, attribute, &value), CUDA_SUCCESS);
  }

  static CUmemoryPool Create(size_t max_size = 0) {
    CUmemPoolProps props = {};
    props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    props.maxSize = max_size;
    CUmemoryPool pool = nullptr;
    EXPECT_EQ(cuMemPoolCreate(&pool, &props), CUDA_SUCCESS);
    return pool;
  }

  CUdeviceptr Allocate(size_t bytes, CUmemoryPool pool = nullptr) {
    CUdeviceptr pointer = 0;
    const CUresult result = pool == nullptr
                                ? cuMemAllocAsync(&pointer, bytes, stream_)
                                : cuMemAllocFromPoolAsync(&pointer, bytes, pool, stream_);
    EXPECT_EQ(result, CUDA_SUCCESS);
    return pointer;
  }

  CUmemoryPool standard_ = nullptr;
  CUstream stream_ = nullptr;
  CUstream other_ = nullptr;
};

TEST_F(PoolTest, ReservesSegmentsAndReleasesThemWhenTheProgramSynchronizes) {
  const size_t before = Free();
  const CUdeviceptr pointer = Allocate(kMiB);
  EXPECT_EQ(before - Free(), kSegment);
  EXPECT_EQ(Get(standard_, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), kSegment);
  EXPECT_EQ(Get(standard_, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), kMiB);
  ASSERT_EQ(cuMemFreeAsync(pointer, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
  EXPECT_EQ(Get(standard_, CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0u);
  EXPECT_EQ(Get(standard_, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
}

TEST_F(PoolTest, TellsOtherThreadsWhatItHoldsWhileItGrowsAndShrinks) {
  std::atomic<bool> is_over = false;
  std::thread looker([&] {
    while (!is_over) {
      const uint64_t reserved = Get(standard_, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT);
      ASSERT_TRUE(reserved == 0 || reserved == 2 * kSegment) << reserved;
    }
  });
  for (int i = 0; i < 100; i++) {
    const CUdeviceptr pointer = Allocate(kSegment + kMiB);
    ASSERT_EQ(Get(standard_, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 2 * kSegment);
    ASSERT_EQ(cuMemFreeAsync(pointer, stream_), CUDA_SUCCESS);
    ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
    ASSERT_EQ(Get(standard_, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0u);
  }
  is_over = true;
  looker.join();
}

TEST_F(PoolTest, KeepsWhatTheThresholdAllows) {
  const size_t before = Free();
  Set(standard_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX);
  ASSERT_EQ(cuMemFreeAsync(Allocate(100 * kMiB), stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(before - Free(), 128 * kMiB);
  Allocate(100 * kMiB);  // from what is kept
  EXPECT_EQ(before - Free(), 128 * kMiB);
  ASSERT_EQ(cuMemPoolTrimTo(standard_, 0), CUDA_SUCCESS);  // in use
  EXPECT_EQ(before - Free(), 128 * kMiB);
}

TEST_F(PoolTest, TrimsToWhatItIsTold) {
  const size_t before = Free();
  Set(standard_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, UINT64_MAX);
  const CUdeviceptr a = Allocate(kSegment);
  const CUdeviceptr b = Allocate(kSegment);
  ASSERT_EQ(cuMemFreeAsync(a, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuMemFreeAsync(b, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuMemPoolTrimTo(standard_, 1), CUDA_SUCCESS);
  EXPECT_EQ(before - Free(), kSegment);
  ASSERT_EQ(cuMemPoolTrimTo(standard_, 0), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
}

TEST_F(PoolTest, ReleasesAfterEventsAsWell) {
  const size_t before = Free();
  CUevent event = nullptr;
  ASSERT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuMemFreeAsync(Allocate(kMiB), stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(event, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
}

TEST_F(PoolTest, ReusesInStreamOrderWithoutWaiting) {
  const CUdeviceptr first = Allocate(kMiB);
  ASSERT_EQ(cuMemsetD8Async(first, 1, kMiB, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuMemFreeAsync(first, stream_), CUDA_SUCCESS);
  EXPECT_EQ(Allocate(kMiB), first);
  EXPECT_EQ(cuMemFreeAsync(first, stream_), CUDA_SUCCESS);
  EXPECT_EQ(cuMemFreeAsync(first, stream_), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(PoolTest, WhatAnIdleStreamFreesIsThereForOthersAtOnce) {
  for (int i = 0; i < 100; i++) {
    const CUdeviceptr pointer = Allocate(kMiB);
    ASSERT_EQ(cuMemFreeAsync(pointer, stream_), CUDA_SUCCESS);
    CUdeviceptr again = 0;
    ASSERT_EQ(cuMemAllocAsync(&again, kMiB, other_), CUDA_SUCCESS);
    ASSERT_EQ(again, pointer);
    ASSERT_EQ(cuMemFreeAsync(again, other_), CUDA_SUCCESS);
  }
}

TEST_F(PoolTest, RemembersItsHighestMarks) {
  CUmemoryPool pool = Create();
  const CUdeviceptr pointer = Allocate(3 * kMiB, pool);
  ASSERT_EQ(cuMemFreeAsync(pointer, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(Get(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 3 * kMiB);
  EXPECT_EQ(Get(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), kSegment);
  Set(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0);
  Set(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0);
  EXPECT_EQ(Get(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 0u);
  EXPECT_EQ(Get(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH), 0u);
  uint64_t one = 1;
  EXPECT_EQ(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &one),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemPoolSetAttribute(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &one),
            CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemPoolDestroy(pool), CUDA_SUCCESS);
}

TEST_F(PoolTest, UsesTheLastBytesOfTheCard) {
  CUdeviceptr most = 0;
  ASSERT_EQ(cuMemAlloc_v2(&most, Free() - 3 * kMiB), CUDA_SUCCESS);
  const CUdeviceptr pointer = Allocate(3 * kMiB);  // less than a segment is left
  EXPECT_EQ(Free(), 0u);
  CUdeviceptr more = 0;
  EXPECT_EQ(cuMemAllocAsync(&more, 512, stream_), CUDA_ERROR_OUT_OF_MEMORY);
  ASSERT_EQ(cuMemFreeAsync(pointer, stream_), CUDA_SUCCESS);
  // Of another stream: has to wait for the free first.
  EXPECT_EQ(cuMemAllocAsync(&more, 2 * kMiB, other_), CUDA_SUCCESS);
}

TEST_F(PoolTest, KeepsToItsMaximum) {
  CUmemoryPool pool = Create(4 * kMiB);
  const CUdeviceptr pointer = Allocate(4 * kMiB, pool);
  CUdeviceptr more = 0;
  EXPECT_EQ(cuMemAllocFromPoolAsync(&more, 1, pool, stream_), CUDA_ERROR_OUT_OF_MEMORY);
  ASSERT_EQ(cuMemFreeAsync(pointer, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuMemPoolDestroy(pool), CUDA_SUCCESS);
}

TEST_F(PoolTest, OutlivesItsHandleUntilTheLastAllocationIsFreed) {
  const size_t before = Free();
  CUmemoryPool pool = Create();
  const CUdeviceptr pointer = Allocate(kMiB, pool);
  ASSERT_EQ(cuDeviceSetMemPool(0, pool), CUDA_SUCCESS);
  ASSERT_EQ(cuMemPoolDestroy(pool), CUDA_SUCCESS);
  EXPECT_EQ(cuMemPoolTrimTo(pool, 0), CUDA_ERROR_INVALID_VALUE);
  CUmemoryPool current = nullptr;
  ASSERT_EQ(cuDeviceGetMemPool(&current, 0), CUDA_SUCCESS);
  EXPECT_EQ(current, standard_);
  EXPECT_EQ(before - Free(), kSegment);
  ASSERT_EQ(cuMemFreeAsync(pointer, stream_), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamSynchronize(stream_), CUDA_SUCCESS);
  EXPECT_EQ(Free(), before);
  EXPECT_EQ(cuMemPoolDestroy(standard_), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(PoolTest, WaitsForWhatDestroyedPoolsAreAboutToGiveBack) {
  const size_t most = Free() / kSegment * kSegment;
  for (int i = 0; i < 20; ++i) {
    const CUmemoryPool pool = Create();
    const CUdeviceptr pointer = Allocate(most, pool);
    ASSERT_NE(pointer, 0u);
    EXPECT_EQ(cuMemFreeAsync(pointer, stream_), CUDA_SUCCESS);
    EXPECT_EQ(cuMemPoolDestroy(pool), CUDA_SUCCESS);
  }
}

TEST_F(PoolTest, AnswersForLocationsAsCuda13Does) {
  CUmemLocation here = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CUmemLocation host = {CU_MEM_LOCATION_TYPE_HOST, 0};
  CUmemoryPool pool = nullptr;
  EXPECT_EQ(cuMemGetDefaultMemPool(&pool, &here, CU_MEM_ALLOCATION_TYPE_PINNED), CUDA_SUCCESS);
  EXPECT_EQ(pool, standard_);
  EXPECT_EQ(cuMemGetDefaultMemPool(&pool, &host, CU_MEM_ALLOCATION_TYPE_PINNED),
            CUDA_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(cuMemGetDefaultMemPool(&pool, &here, CU_MEM_ALLOCATION_TYPE_INVALID),
            CUDA_ERROR_INVALID_VALUE);
  CUmemoryPool own = Create();
  EXPECT_EQ(cuMemSetMemPool(&here, CU_MEM_ALLOCATION_TYPE_PINNED, own), CUDA_SUCCESS);
  EXPECT_EQ(cuMemGetMemPool(&pool, &here, CU_MEM_ALLOCATION_TYPE_PINNED), CUDA_SUCCESS);
  EXPECT_EQ(pool, own);
  CUmemLocation elsewhere = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
  EXPECT_EQ(cuMemSetMemPool(&elsewhere, CU_MEM_ALLOCATION_TYPE_PINNED, own),
            CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(cuMemPoolDestroy(own), CUDA_SUCCESS);
}

TEST_F(PoolTest, GrantsAndRevokesAccessOfOtherCards) {
  CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, 1}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
  ASSERT_EQ(cuMemPoolGetAccess(&flags, standard_, &access.location), CUDA_SUCCESS);
  EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_NONE);
  ASSERT_EQ(cuMemPoolSetAccess(standard_, &access, 1), CUDA_SUCCESS);
  ASSERT_EQ(cuMemPoolGetAccess(&flags, standard_, &access.location), CUDA_SUCCESS);
  EXPECT_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  access = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_NONE};
  EXPECT_EQ(cuMemPoolSetAccess(standard_, &access, 1), CUDA_ERROR_INVALID_VALUE);
  access = {{CU_MEM_LOCATION_TYPE_DEVICE, 9}, CU_MEM_ACCESS_FLAGS_PROT_READ};
  EXPECT_EQ(cuMemPoolSetAccess(standard_, &access, 1), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(PoolTest, RefusesWhatADriverRefuses) {
  CUdeviceptr pointer = 0;
  EXPECT_EQ(cuMemAllocAsync(&pointer, 0, stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocAsync(nullptr, 1, stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemAllocAsync(&pointer, SIZE_MAX, stream_), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(cuMemAllocFromPoolAsync(&pointer, 1, nullptr, stream_), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuMemFreeAsync(0x1000, stream_), CUDA_ERROR_INVALID_VALUE);
  CUmemPoolProps props = {};
  CUmemoryPool pool = nullptr;
  EXPECT_EQ(cuMemPoolCreate(&pool, &props), CUDA_ERROR_INVALID_VALUE);
  props.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  props.location = {CU_MEM_LOCATION_TYPE_DEVICE, 5};
  EXPECT_EQ(cuMemPoolCreate(&pool, &props), CUDA_ERROR_INVALID_DEVICE);
  ASSERT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuMemAllocAsync(&pointer, 1, nullptr), CUDA_ERROR_INVALID_CONTEXT);
  ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
}

}  // namespace

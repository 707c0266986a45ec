// Stream-ordered memory: charged by what the pools hold. The simulated driver's pools grow by 32
// MiB, as real ones do.
#include <chrono>
#include <thread>
#include <vector>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kLump = 32 * kMiB;

class PoolTest : public MemoryTest {
 protected:
  static CUstream Stream(Tenant& tenant) {
    CUstream stream = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    return stream;
  }
  static void Synchronize(Tenant& tenant, CUstream stream) {
    EXPECT_EQ(CALL(tenant.cuda, cuStreamSynchronize)(stream), CUDA_SUCCESS);
  }
  static CUmemoryPool DefaultPool(Tenant& tenant) {
    CUmemoryPool pool = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuDeviceGetDefaultMemPool)(&pool, 0), CUDA_SUCCESS);
    return pool;
  }
  static CUmemoryPool NewPool(Tenant& tenant, CUdevice device = 0,
                              CUmemAllocationHandleType exported_as = CU_MEM_HANDLE_TYPE_NONE) {
    CUmemPoolProps properties{};
    properties.handleTypes = exported_as;
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    CUmemoryPool pool = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolCreate)(&pool, &properties), CUDA_SUCCESS);
    return pool;
  }
  static void KeepUpTo(Tenant& tenant, CUmemoryPool pool, cuuint64_t bytes) {
    EXPECT_EQ(
        CALL(tenant.cuda, cuMemPoolSetAttribute)(pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &bytes),
        CUDA_SUCCESS);
  }
  static CUdeviceptr Allocate(Tenant& tenant, uint64_t bytes, CUstream stream) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocAsync)(&pointer, bytes, stream), CUDA_SUCCESS);
    return pointer;
  }
  static void Free(Tenant& tenant, CUdeviceptr pointer, CUstream stream) {
    EXPECT_EQ(CALL(tenant.cuda, cuMemFreeAsync)(pointer, stream), CUDA_SUCCESS);
  }
};

TEST_F(PoolTest, Scenario09_APoolIsChargedForWhatItHolds) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    const CUdeviceptr small = Allocate(tenant, kMiB, stream);
    EXPECT_EQ(tenant.Charged(), before + kLump);
    const CUdeviceptr second = Allocate(tenant, kMiB, stream);
    EXPECT_EQ(tenant.Charged(), before + kLump);
    const CUdeviceptr big = Allocate(tenant, 40 * kMiB, stream);
    EXPECT_EQ(tenant.Charged(), before + 3 * kLump);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    for (const CUdeviceptr pointer : {small, second, big}) Free(tenant, pointer, stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

TEST_F(PoolTest, Scenario09_WhatIsBelowTheThresholdStaysChargedUntilItIsTrimmed) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    KeepUpTo(tenant, DefaultPool(tenant), UINT64_MAX);
    Free(tenant, Allocate(tenant, 40 * kMiB, stream), stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before + 2 * kLump);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolTrimTo)(DefaultPool(tenant), 0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    // A threshold that is lowered counts at the next synchronization.
    Free(tenant, Allocate(tenant, 40 * kMiB, stream), stream);
    Synchronize(tenant, stream);
    KeepUpTo(tenant, DefaultPool(tenant), 0);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSynchronize)(), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

// What the pool lets go of beside us shows whether it was looked at: below its threshold there is
// nothing to see.
TEST_F(PoolTest, AThresholdThatWasSetBeforeTheFirstAllocationIsKnown) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    const CUmemoryPool pool = DefaultPool(tenant);
    KeepUpTo(tenant, pool, UINT64_MAX);
    Free(tenant, Allocate(tenant, kMiB, stream), stream);
    Synchronize(tenant, stream);
    ASSERT_EQ(CALL(tenant.bare, cuMemPoolTrimTo)(pool, 0), CUDA_SUCCESS);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before + kLump);
    KeepUpTo(tenant, pool, 0);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

TEST_F(PoolTest, ItIsExactToTheByteWhereNoLumpFits) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    CUdeviceptr pointer = 0;
    const auto free = [&] {
      const CUresult result = CALL(tenant.cuda, cuMemFreeAsync)(pointer, stream);
      Synchronize(tenant, stream);
      return result;
    };
    constexpr uint64_t kOdd = 3 * kMiB + 5;
    ExpectExactToTheByte(
        tenant,
        {[&] { return CALL(tenant.cuda, cuMemAllocAsync)(&pointer, kOdd, stream); }, free, kOdd});
    ExpectExactToTheByte(
        tenant, {[&] { return CALL(tenant.cuda, cuMemAllocAsync_ptsz)(&pointer, kOdd, nullptr); },
                 [&] {
                   const CUresult result = CALL(tenant.cuda, cuMemFreeAsync_ptsz)(pointer, nullptr);
                   Synchronize(tenant, CU_STREAM_PER_THREAD);
                   return result;
                 },
                 kOdd});
  });
}

TEST_F(PoolTest, ALumpIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    CUdeviceptr pointer = 0;
    const auto free = [&] {
      const CUresult result = CALL(tenant.cuda, cuMemFreeAsync)(pointer, stream);
      Synchronize(tenant, stream);
      return result;
    };
    ExpectExactToTheByte(
        tenant,
        {[&] { return CALL(tenant.cuda, cuMemAllocAsync)(&pointer, kLump, stream); }, free, kLump});
  });
}

TEST_F(PoolTest, WhatThePoolKeepsServesAFullTenant) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    KeepUpTo(tenant, DefaultPool(tenant), UINT64_MAX);
    Free(tenant, Allocate(tenant, kLump, stream), stream);
    Synchronize(tenant, stream);
    {
      const Ballast ballast(tenant, 0);
      const CUdeviceptr pointer = Allocate(tenant, 20 * kMiB, stream);
      CUdeviceptr refused = 0;
      EXPECT_EQ(CALL(tenant.cuda, cuMemAllocAsync)(&refused, 20 * kMiB, stream),
                CUDA_ERROR_OUT_OF_MEMORY);
      EXPECT_EQ(tenant.Room(), 0u);
      Free(tenant, pointer, stream);
      Synchronize(tenant, stream);
    }
    KeepUpTo(tenant, DefaultPool(tenant), 0);
    Synchronize(tenant, stream);
  });
}

TEST_F(PoolTest, WhatWasFreedServesAFullTenantWithoutASynchronization) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    KeepUpTo(tenant, DefaultPool(tenant), UINT64_MAX);
    const CUdeviceptr held = Allocate(tenant, kMiB, stream);
    CUdeviceptr pointer = Allocate(tenant, 20 * kMiB, stream);
    {
      const Ballast ballast(tenant, 0);
      for (int i = 0; i < 100; ++i) {
        Free(tenant, pointer, stream);
        pointer = Allocate(tenant, 20 * kMiB, stream);
      }
      EXPECT_EQ(tenant.Room(), 0u);
      EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    }
    Free(tenant, pointer, stream);
    Free(tenant, held, stream);
    KeepUpTo(tenant, DefaultPool(tenant), 0);
    Synchronize(tenant, stream);
  });
}

TEST_F(PoolTest, WhatItHoldsInPiecesIsNotTakenForRoom) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    KeepUpTo(tenant, DefaultPool(tenant), UINT64_MAX);
    std::vector<CUdeviceptr> pieces;
    for (int i = 0; i < 4; ++i) pieces.push_back(Allocate(tenant, 8 * kMiB, stream));
    {
      const Ballast ballast(tenant, 0);
      Free(tenant, pieces[0], stream);
      Free(tenant, pieces[2], stream);
      Synchronize(tenant, stream);
      const uint64_t refusals = tenant.dir.Refusals();
      CUdeviceptr refused = 0;
      EXPECT_EQ(CALL(tenant.cuda, cuMemAllocAsync)(&refused, 12 * kMiB, stream),
                CUDA_ERROR_OUT_OF_MEMORY);
      EXPECT_EQ(tenant.dir.Refusals(), refusals + 1);
      EXPECT_EQ(tenant.Room(), 0u);
      pieces[0] = Allocate(tenant, 8 * kMiB, stream);
      pieces[2] = Allocate(tenant, 8 * kMiB, stream);
    }
    for (const CUdeviceptr pointer : pieces) Free(tenant, pointer, stream);
    KeepUpTo(tenant, DefaultPool(tenant), 0);
    Synchronize(tenant, stream);
  });
}

TEST_F(PoolTest, Scenario09_APoolOfItsOwnGivesBackWhenItIsDestroyed) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    const CUmemoryPool pool = NewPool(tenant);
    KeepUpTo(tenant, pool, UINT64_MAX);
    CUdeviceptr pointer = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAllocFromPoolAsync)(&pointer, 40 * kMiB, pool, stream),
              CUDA_SUCCESS);
    Free(tenant, pointer, stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before + 2 * kLump);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

// Whatever is on the card then, somebody is charged for it.
TEST_F(PoolTest, APoolIsDestroyedWhenItsStreamsHaveFreedWhatTheyWereTold) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    const CUmemoryPool pool = NewPool(tenant);
    CUdeviceptr pointer = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAllocFromPoolAsync)(&pointer, kMiB, pool, stream),
              CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuLaunchHostFunc)(
                  stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(30)); },
                  nullptr),
              CUDA_SUCCESS);
    Free(tenant, pointer, stream);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), tenant.OnCard());
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

TEST_F(PoolTest, Scenario09_ADestroyedPoolStaysChargedForWhatLives) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    const CUmemoryPool pool = NewPool(tenant);
    CUdeviceptr first = 0;
    CUdeviceptr second = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAllocFromPoolAsync)(&first, kMiB, pool, stream), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemAllocFromPoolAsync)(&second, kMiB, pool, stream),
              CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kLump);
    Free(tenant, first, stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before + kLump);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    Free(tenant, second, stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

TEST_F(PoolTest, APoolIsChargedToItsOwnCard) {
  InTenant([](Tenant& tenant) {
    CUcontext second = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&second, 1), CUDA_SUCCESS);
    const uint64_t before = tenant.Charged(0);
    const CUmemoryPool pool = NewPool(tenant, 1);
    const CUstream stream = Stream(tenant);
    CUdeviceptr pointer = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAllocFromPoolAsync)(&pointer, kMiB, pool, stream),
              CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(0), before);
    EXPECT_EQ(tenant.Charged(1), kLump + kMiB);
    Free(tenant, pointer, stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(1), kMiB);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(1), CUDA_SUCCESS);
  });
}

TEST_F(PoolTest, AStreamOfAnotherCardAllocatesThere) {
  InTenant([](Tenant& tenant) {
    CUcontext second = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&second, 1), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxPushCurrent_v2)(second), CUDA_SUCCESS);
    const CUstream stream = Stream(tenant);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxPopCurrent_v2)(nullptr), CUDA_SUCCESS);
    const uint64_t before = tenant.Charged(0);
    const CUdeviceptr pointer = Allocate(tenant, kMiB, stream);
    EXPECT_EQ(tenant.Charged(0), before);
    EXPECT_EQ(tenant.Charged(1), kLump + kMiB);
    Free(tenant, pointer, stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(1), kMiB);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(1), CUDA_SUCCESS);
  });
}

// Memory that cuMemAlloc cannot replace: what is left of a lump serves, then there is no more, and
// nothing that is worth waiting for.
TEST_F(PoolTest, AFullTenantUsesUpTheLumpsOfAPoolToExport) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    const CUmemoryPool pool = NewPool(tenant, 0, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    tenant.dir.SetLimit(0, tenant.Charged() + kLump + 2 * kMiB);
    CUdeviceptr pointer = 0;
    const auto allocate = [&] {
      return CALL(tenant.cuda, cuMemAllocFromPoolAsync)(&pointer, kMiB, pool, stream);
    };
    for (uint64_t i = 0; i < kLump / kMiB; ++i) EXPECT_EQ(allocate(), CUDA_SUCCESS);
    EXPECT_EQ(allocate(), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(tenant.Room(), 2 * kMiB);
  });
}

// By cuMemAlloc a full card's neighbour would serve it, and be charged.
TEST_F(PoolTest, APoolOfAnotherCardIsNotReplacedByMemoryOfTheCurrentOne) {
  InTenant([](Tenant& tenant) {
    CUcontext second = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&second, 1), CUDA_SUCCESS);
    tenant.dir.SetLimit(1, tenant.Charged(1) + kMiB);
    const uint64_t before = tenant.Charged(0);
    CUmemoryPool pool = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuDeviceGetDefaultMemPool)(&pool, 1), CUDA_SUCCESS);
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocFromPoolAsync)(&pointer, kMiB, pool, Stream(tenant)),
              CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(tenant.Charged(0), before);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(1), CUDA_SUCCESS);
  });
}

TEST_F(PoolTest, Scenario09_MemoryFreedTheOtherFamilysWayIsGivenBackOnce) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    // From the pool, freed at once.
    const CUdeviceptr pooled = Allocate(tenant, kMiB, stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pooled), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSynchronize)(), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pooled), CUDA_ERROR_INVALID_VALUE);
    // Not from the pool, freed in stream order.
    CUdeviceptr plain = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&plain, 7 * kMiB), CUDA_SUCCESS);
    Free(tenant, plain, stream);
    EXPECT_NE(CALL(tenant.cuda, cuMemFreeAsync)(plain, stream), CUDA_SUCCESS);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

TEST_F(PoolTest, BadArgumentsGetTheDriversErrorAndCostNothing) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    const CUstream stream = Stream(tenant);
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocAsync)(&pointer, 0, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocAsync)(nullptr, 1, stream), CUDA_ERROR_INVALID_VALUE);
    EXPECT_NE(CALL(tenant.cuda, cuMemFreeAsync)(0x1234, stream), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(DefaultPool(tenant)), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(tenant.Charged(), before);
    Free(tenant, Allocate(tenant, kMiB, stream), stream);
    Synchronize(tenant, stream);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

TEST_F(PoolTest, AnAllocationThatIsCapturedCostsNothing) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    const Ballast ballast(tenant, 0);
    CUgraph graph = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
    Free(tenant, Allocate(tenant, 64 * kMiB, stream), stream);
    ASSERT_EQ(CALL(tenant.cuda, cuStreamEndCapture)(stream, &graph), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Room(), 0u);
    EXPECT_EQ(CALL(tenant.cuda, cuGraphDestroy)(graph), CUDA_SUCCESS);
  });
}

TEST_F(PoolTest, ContextsThatEndTakeTheirPoolMemoryWithThem) {
  InTenant([](Tenant& tenant) {
    const CUstream stream = Stream(tenant);
    (void)Allocate(tenant, 3 * kMiB, stream);
    (void)Allocate(tenant, 50 * kMiB, stream);
    Synchronize(tenant, stream);
  });
}

}  // namespace
}  // namespace warpshare::testing

// What code costs is found by measuring, beside threads that do what they like: a thread that lets
// go of memory in the middle must not make code look cheaper than it is. On one processor, so that
// a thread is often stopped between what the driver did and the note of it.
#include <sched.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/vmm/api.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kModule = kMiB;  // what the world of these tests takes for one
constexpr uint64_t kBytes = 2 * kMiB;
constexpr auto kLong = std::chrono::seconds(1);

void StayOnOneProcessor() {
  cpu_set_t all;
  cpu_set_t one;
  CPU_ZERO(&one);
  ASSERT_EQ(sched_getaffinity(0, sizeof(all), &all), 0);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
}

class MeasureTest : public MemoryTest {
 protected:
  // Loads code over and over while another thread of the process does `come_and_go`.
  void ExpectExactBeside(const std::function<void(Tenant&)>& come_and_go) {
    InTenant([&](Tenant& tenant) {
      StayOnOneProcessor();
      std::atomic<bool> is_over = false;
      std::thread other([&] {
        EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
        while (!is_over && !HasFailure()) come_and_go(tenant);
      });
      const auto end = std::chrono::steady_clock::now() + kLong;
      while (std::chrono::steady_clock::now() < end && !HasFailure()) {
        CUmodule module = nullptr;
        EXPECT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, "kernel"), CUDA_SUCCESS);
        EXPECT_EQ(CALL(tenant.cuda, cuModuleUnload)(module), CUDA_SUCCESS);
      }
      is_over = true;
      other.join();
    });
    // Or nothing was learned: there was no moment in which nobody else did anything.
    const abi::CardUsageV1& learned = tenant_.usage().cards[0];
    if (learned.code_least_plus_1 == 0) return;
    EXPECT_EQ(learned.code_least_plus_1, kModule + 1);
    EXPECT_EQ(learned.code_most, kModule);
  }
};

TEST_F(MeasureTest, CodeCostsTheSameBesideMappingsThatEnd) {
  ExpectExactBeside([](Tenant& tenant) {
    CUmemAllocationProp properties{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemGenericAllocationHandle handle = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemCreate)(&handle, kBytes, &properties, 0), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemRelease)(handle), CUDA_SUCCESS);
  });
}

TEST_F(MeasureTest, CodeCostsTheSameBesideContextsThatEnd) {
  ExpectExactBeside([](Tenant& tenant) {
    CUcontext context = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(context), CUDA_SUCCESS);
  });
}

class PoolMeasureTest : public MeasureTest {
 protected:
  static CUmemoryPool MakePool(Tenant& tenant) {
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemoryPool pool = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolCreate)(&pool, &properties), CUDA_SUCCESS);
    return pool;
  }
  static CUdeviceptr MakePointer(Tenant& tenant, CUmemoryPool pool) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocFromPoolAsync)(&pointer, kBytes, pool, nullptr),
              CUDA_SUCCESS);
    return pointer;
  }
};

// Nothing is held for what a pool may grow by then, so nothing else tells that one is at it.
TEST_F(PoolMeasureTest, CodeCostsTheSameBesidePoolsThatGrowWithoutALimit) {
  tenant_.limits().cards[0].memory_limit_bytes = abi::kNoLimit;
  ExpectExactBeside([](Tenant& tenant) {
    CUmemoryPool pool = MakePool(tenant);
    for (int i = 0; i < 8; ++i) {
      const CUdeviceptr pointer = MakePointer(tenant, pool);
      EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_SUCCESS);
      EXPECT_EQ(CALL(tenant.cuda, cuMemPoolTrimTo)(pool, 0), CUDA_SUCCESS);
    }
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
  });
}

TEST_F(PoolMeasureTest, CodeCostsTheSameBesidePoolsThatAreDestroyed) {
  ExpectExactBeside([](Tenant& tenant) {
    CUmemoryPool pool = MakePool(tenant);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFreeAsync)(MakePointer(tenant, pool), nullptr), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
  });
}

TEST_F(PoolMeasureTest, CodeCostsTheSameBesideTheLastPointerOfADestroyedPool) {
  ExpectExactBeside([](Tenant& tenant) {
    CUmemoryPool pool = MakePool(tenant);
    const CUdeviceptr pointer = MakePointer(tenant, pool);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_SUCCESS);
  });
}

TEST_F(PoolMeasureTest, CodeCostsTheSameBesideADestroyedPoolThatLosesOnePointerOfTwo) {
  ExpectExactBeside([](Tenant& tenant) {
    CUmemoryPool pool = MakePool(tenant);
    const CUdeviceptr first = MakePointer(tenant, pool);
    const CUdeviceptr second = MakePointer(tenant, pool);
    EXPECT_EQ(CALL(tenant.cuda, cuMemPoolDestroy)(pool), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFreeAsync)(first, nullptr), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuStreamSynchronize)(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(second), CUDA_SUCCESS);
  });
}

}  // namespace
}  // namespace warpshare::testing

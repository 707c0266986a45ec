// cuMemAlloc and its kin: exact at the limit, and right in every way a free can go.
#include <atomic>
#include <thread>
#include <vector>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/device/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/cuda/ipc/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

class LinearTest : public MemoryTest {};

constexpr uint64_t kOdd = 5 * kMiB + 3;

TEST_F(LinearTest, DeviceMemoryIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUdeviceptr pointer = 0;
    ExpectExactToTheByte(tenant, {[&] { return CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kOdd); },
                                  [&] { return CALL(tenant.cuda, cuMemFree_v2)(pointer); }, kOdd});
  });
}

TEST_F(LinearTest, MemoryBelow4GiBIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    unsigned int pointer = 0;
    ExpectExactToTheByte(tenant, {[&] { return CALL(tenant.cuda, cuMemAlloc)(&pointer, kOdd); },
                                  [&] { return CALL(tenant.cuda, cuMemFree)(pointer); }, kOdd});
  });
}

TEST_F(LinearTest, ManagedMemoryIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUdeviceptr pointer = 0;
    const auto make = [&] {
      return CALL(tenant.cuda, cuMemAllocManaged)(&pointer, kOdd, CU_MEM_ATTACH_GLOBAL);
    };
    ExpectExactToTheByte(tenant,
                         {make, [&] { return CALL(tenant.cuda, cuMemFree_v2)(pointer); }, kOdd});
  });
}

TEST_F(LinearTest, PitchedMemoryIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUdeviceptr pointer = 0;
    size_t pitch = 0;
    const auto make = [&] {
      return CALL(tenant.cuda, cuMemAllocPitch_v2)(&pointer, &pitch, 1000, 777, 4);
    };
    ExpectExactToTheByte(
        tenant, {make, [&] { return CALL(tenant.cuda, cuMemFree_v2)(pointer); }, 1024 * 777});
    EXPECT_EQ(pitch, 1024u);
  });
}

TEST_F(LinearTest, PitchedMemoryBelow4GiBIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    unsigned int pointer = 0;
    unsigned int pitch = 0;
    const auto make = [&] {
      return CALL(tenant.cuda, cuMemAllocPitch)(&pointer, &pitch, 1000, 777, 4);
    };
    ExpectExactToTheByte(tenant,
                         {make, [&] { return CALL(tenant.cuda, cuMemFree)(pointer); }, 1024 * 777});
  });
}

TEST_F(LinearTest, HostMemoryCostsNothing) {
  InTenant([](Tenant& tenant) {
    const Ballast ballast(tenant, 0);
    void* host = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuMemHostAlloc)(&host, kOdd, 0), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFreeHost)(host), CUDA_SUCCESS);
  });
}

TEST_F(LinearTest, ARefusalLeavesTheOutputsAlone) {
  InTenant([](Tenant& tenant) {
    CUdeviceptr pointer = 77;
    size_t pitch = 78;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kLimit), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocPitch_v2)(&pointer, &pitch, 1 << 20, 1 << 20, 4),
              CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(pointer, 77u);
    EXPECT_EQ(pitch, 78u);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, SIZE_MAX), CUDA_ERROR_OUT_OF_MEMORY);
  });
}

TEST_F(LinearTest, BadArgumentsGetTheDriversErrorAndCostNothing) {
  InTenant([](Tenant& tenant) {
    const Ballast ballast(tenant, 0);
    CUdeviceptr pointer = 0;
    size_t pitch = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(nullptr, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocManaged)(&pointer, 0, 1), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocPitch_v2)(&pointer, nullptr, 1, 1, 4),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocPitch_v2)(&pointer, &pitch, 0, 1, 4),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 1), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
  });
}

TEST_F(LinearTest, WhatTheDriverRefusesIsGivenBack) {
  tenant_.SetLimit(0, 64 * 1024 * kMiB);
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUdeviceptr pointer = 0;
    size_t pitch = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 5000 * kMiB), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocManaged)(&pointer, kMiB, 99), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAllocPitch_v2)(&pointer, &pitch, 1, 1, 5),
              CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.dir.Refusals(), 0u);
  });
}

TEST_F(LinearTest, FreeingTwiceGivesBackOnce) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUdeviceptr kept = 0;
    CUdeviceptr freed = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&kept, kOdd), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&freed, kOdd), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(freed), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(freed), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(kept + 512), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kOdd);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(kept), CUDA_SUCCESS);
  });
}

TEST_F(LinearTest, AFreeThatTheDriverRefusesKeepsTheCharge) {
  InTenant([](Tenant& tenant) {
    CUdeviceptr pointer = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kOdd), CUDA_SUCCESS);
    const uint64_t before = tenant.Charged();
    CUstream stream = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuStreamDestroy_v2)(stream), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before - kOdd);
  });
}

TEST_F(LinearTest, AFreeInAThreadWithoutAContextGivesTheChargeBack) {
  InTenant([](Tenant& tenant) {
    CUdeviceptr pointer = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kOdd), CUDA_SUCCESS);
    const uint64_t before = tenant.Charged();
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before - kOdd);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
  });
}

// The program frees behind our back, as a library with a driver of its own would: the address comes
// back from the driver while we still have it.
TEST_F(LinearTest, AnAddressThatWasFreedUnseenDoesNotCountTwice) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUdeviceptr pointer = 0;
    CUdeviceptr again = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 8 * kMiB), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.bare, cuMemFree_v2)(pointer), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&again, 8 * kMiB), CUDA_SUCCESS);
    if (again == pointer) {
      EXPECT_EQ(tenant.Charged(), before + 8 * kMiB);
    }
    ASSERT_EQ(CALL(tenant.cuda, cuMemFree_v2)(again), CUDA_SUCCESS);
    if (again != pointer) {
      EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_ERROR_INVALID_VALUE);
    }
    EXPECT_EQ(tenant.Charged(), before);
  });
}

TEST_F(LinearTest, RacingFreesOfOnePointerGiveBackOnce) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    for (int round = 0; round < 300; ++round) {
      CUdeviceptr pointer = 0;
      ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kOdd), CUDA_SUCCESS);
      std::atomic<int> freed{0};
      std::vector<std::thread> threads;
      for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
          CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context);
          freed += CALL(tenant.cuda, cuMemFree_v2)(pointer) == CUDA_SUCCESS;
        });
      }
      for (std::thread& thread : threads) thread.join();
      ASSERT_EQ(freed, 1);
      ASSERT_EQ(tenant.Charged(), before) << "round " << round;
    }
  });
}

TEST_F(LinearTest, ALimitBelowTheUseStopsNewAllocationsUntilItFits) {
  InTenant([](Tenant& tenant) {
    CUdeviceptr big = 0;
    CUdeviceptr small = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&big, 600 * kMiB), CUDA_SUCCESS);
    tenant.dir.SetLimit(0, 300 * kMiB);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&small, 1), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(big), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&small, 200 * kMiB), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(small), CUDA_SUCCESS);
  });
}

TEST_F(LinearTest, ACardThatIsSeenThoughNotGrantedHasNothingToGive) {
  InBareTenant([](Tenant& tenant) {
    tenant.dir.limits().card_count = 1;  // after cuInit, which would have hidden the other
    CUcontext context = nullptr;
    size_t total = 1;
    EXPECT_EQ(CALL(tenant.cuda, cuDeviceTotalMem_v2)(&total, 1), CUDA_SUCCESS);
    EXPECT_EQ(total, 0u);
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&context, 1), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 1), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(context, nullptr);
  });
}

TEST_F(LinearTest, MemoryGoesToTheCardThatIsCurrent) {
  InTenant([](Tenant& tenant) {
    CUcontext second = nullptr;
    CUdeviceptr pointer = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&second, 1), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxPushCurrent_v2)(second), CUDA_SUCCESS);
    const uint64_t first_before = tenant.Charged(0);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 256 * kMiB), CUDA_ERROR_OUT_OF_MEMORY);
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 250 * kMiB), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(0), first_before);
    EXPECT_EQ(tenant.Charged(1), 251 * kMiB);
    // Freed from the other card's context.
    ASSERT_EQ(CALL(tenant.cuda, cuCtxPopCurrent_v2)(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(1), kMiB);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(1), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(1), 0u);
  });
}

// Memory of another process is that process's, however often it is opened.
TEST_F(LinearTest, MemoryOpenedByAnIpcHandleIsChargedOnce) {
  int handles[2];
  int done[2];
  ASSERT_EQ(pipe(handles) | pipe(done), 0);
  const pid_t owner = StartBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    CUdeviceptr pointer = 0;
    CUipcMemHandle handle;
    char end = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 64 * kMiB), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuIpcGetMemHandle)(&handle, pointer), CUDA_SUCCESS);
    ASSERT_EQ(write(handles[1], &handle, sizeof(handle)), ssize_t{sizeof(handle)});
    ASSERT_EQ(read(done[0], &end, 1), 1);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(pointer), CUDA_SUCCESS);
  });
  InBareTenant([&](Tenant& tenant) {
    CUipcMemHandle handle;
    ASSERT_EQ(read(handles[0], &handle, sizeof(handle)), ssize_t{sizeof(handle)});
    tenant.MakeContext();
    const uint64_t before = tenant.Charged();
    EXPECT_EQ(before, 66 * kMiB);
    {
      const Ballast ballast(tenant, 0);
      CUdeviceptr opened = 0;
      ASSERT_EQ(CALL(tenant.cuda, cuIpcOpenMemHandle_v2)(&opened, handle, 1), CUDA_SUCCESS);
      EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(opened), CUDA_ERROR_INVALID_VALUE);
      EXPECT_EQ(CALL(tenant.cuda, cuIpcCloseMemHandle)(opened), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Room(), 0u);
    }
    EXPECT_EQ(tenant.Charged(), before);
  });
  ASSERT_EQ(write(done[1], "x", 1), 1);
  EXPECT_EQ(AwaitChild(owner), 0);
}

}  // namespace
}  // namespace warpshare::testing

// Contexts and code: charged what the driver reports that they took.
#include <functional>
#include <future>
#include <vector>

#include "memory/tenant_process.h"
#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

class ContextTest : public MemoryTest {};

constexpr uint64_t kContext = kMiB;  // what the world of these tests takes for one
constexpr uint64_t kModule = kMiB;
constexpr char kImage[] = "kernel";

TEST_F(ContextTest, APrimaryContextCountsOnceForAllItsRetains) {
  InBareTenant([](Tenant& tenant) {
    CUcontext context = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&context, 0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&context, 0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext);
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext);
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), 0u);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&context, 0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext);
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), 0u);
  });
}

TEST_F(ContextTest, WhatAContextCostsIsKnownToTheWholeTenant) {
  InTenant([](Tenant&) {});
  EXPECT_EQ(tenant_.usage().cards[0].context_bytes, kContext);
  EXPECT_EQ(tenant_.usage().cards[0].context_prober, 0u);
}

TEST_F(ContextTest, AContextIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUcontext context = nullptr;
    const auto make = [&] {
      const CUresult result = CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0);
      CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context);
      return result;
    };
    ExpectExactToTheByte(
        tenant, {make, [&] { return CALL(tenant.cuda, cuCtxDestroy_v2)(context); }, kContext});
  });
}

TEST_F(ContextTest, TheFirstContextDoesNotPassALimitThatItDoesNotFit) {
  tenant_.SetLimit(0, kContext - 1);
  InBareTenant([](Tenant& tenant) {
    CUcontext context = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&context, 0), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(tenant.Charged(), 0u);
    tenant.dir.SetLimit(0, kContext);
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&context, 0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext);
  });
}

TEST_F(ContextTest, ADeadProberIsReplaced) {
  tenant_.usage().cards[0].context_prober = 900;  // a slot that nobody holds
  InTenant([](Tenant& tenant) { EXPECT_EQ(tenant.Charged(), kContext); });
}

TEST_F(ContextTest, ManyFirstContextsAtOnceAreAllCharged) {
  constexpr int kProcesses = 12;
  int ready[2];
  int go[2];
  ASSERT_EQ(pipe(ready) | pipe(go), 0);
  std::vector<pid_t> processes;
  for (int i = 0; i < kProcesses; ++i) {
    processes.push_back(StartBareTenant([&](Tenant& tenant) {
      tenant.MakeContext();
      char byte = 0;
      ASSERT_EQ(write(ready[1], "r", 1), 1);
      ASSERT_EQ(read(go[0], &byte, 1), 1);
      ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(0), CUDA_SUCCESS);
    }));
  }
  char byte = 0;
  for (int i = 0; i < kProcesses; ++i) ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(tenant_.UsedBytes(), kProcesses * kContext);
  for (int i = 0; i < kProcesses; ++i) ASSERT_EQ(write(go[1], "g", 1), 1);
  for (const pid_t process : processes) EXPECT_EQ(AwaitChild(process), 0);
  EXPECT_EQ(tenant_.UsedBytes(), 0u);
}

TEST_F(ContextTest, AContextThatEndsGivesBackAllThatWasMadeInIt) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUcontext context = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
    CUdeviceptr pointer = 0;
    CUarray array = nullptr;
    CUmodule module = nullptr;
    const CUDA_ARRAY_DESCRIPTOR shape{512, 512, CU_AD_FORMAT_FLOAT, 1};
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kMiB + i), CUDA_SUCCESS);
    }
    ASSERT_EQ(CALL(tenant.cuda, cuMemAllocManaged)(&pointer, kMiB, 1), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuArrayCreate_v2)(&array, &shape), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(context), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

// What is made while a green context is current goes with it, as the simulated driver has it.
class GreenContextTest : public MemoryTest {
 protected:
  // Makes one, and makes it current.
  static CUgreenCtx Enter(Tenant& tenant) {
    CUdevResource all{};
    CUdevResourceDesc part = nullptr;
    CUgreenCtx green = nullptr;
    CUcontext context = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuDeviceGetDevResource)(0, &all, CU_DEV_RESOURCE_TYPE_SM),
              CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuDevResourceGenerateDesc)(&part, &all, 1), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuGreenCtxCreate)(&green, part, 0, CU_GREEN_CTX_DEFAULT_STREAM),
              CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxFromGreenCtx)(&context, green), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(context), CUDA_SUCCESS);
    return green;
  }
  static void Leave(Tenant& tenant, CUgreenCtx green) {
    EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuGreenCtxDestroy)(green), CUDA_SUCCESS);
  }
  static void LoadModule(Tenant& tenant) {
    CUmodule module = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
  }
};

TEST_F(GreenContextTest, ItsCodeIsGivenBackWithIt) {
  InTenant([](Tenant& tenant) {
    LoadModule(tenant);  // of the primary context: that stays
    const uint64_t before = tenant.Charged();
    CUgreenCtx green = Enter(tenant);
    LoadModule(tenant);
    LoadModule(tenant);
    EXPECT_EQ(tenant.Charged(), before + 2 * kModule);
    Leave(tenant, green);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

TEST_F(GreenContextTest, ItsMemoryIsGivenBackWithItAndNobodyElses) {
  InTenant([](Tenant& tenant) {
    CUdeviceptr pointer = 0;
    CUarray array = nullptr;
    const CUDA_ARRAY_DESCRIPTOR shape{256, 256, CU_AD_FORMAT_FLOAT, 1};
    const auto make_one_of_each = [&] {
      EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 3 * kMiB), CUDA_SUCCESS);
      EXPECT_EQ(CALL(tenant.cuda, cuArrayCreate_v2)(&array, &shape), CUDA_SUCCESS);
      LoadModule(tenant);
    };
    make_one_of_each();
    const uint64_t before = tenant.Charged();
    CUgreenCtx green = Enter(tenant);
    make_one_of_each();
    EXPECT_GT(tenant.Charged(), before + 4 * kMiB);
    Leave(tenant, green);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
}

TEST_F(GreenContextTest, ItsPointersAreGivenBackWhereAllIsOnOneCard) {
  setenv("CUDA_VISIBLE_DEVICES", "0", 1);
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUdeviceptr pointer = 0;
    CUgreenCtx green = Enter(tenant);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 3 * kMiB), CUDA_SUCCESS);
    Leave(tenant, green);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
  });
  unsetenv("CUDA_VISIBLE_DEVICES");
}

// Frees behind an error that stays: the driver calls nobody when it has let go of the memory.
class FailedContextTest : public MemoryTest {
 protected:
  static CUstream Stream(Tenant& tenant) {
    CUstream stream = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    return stream;
  }
  static CUstream GreenStream(Tenant& tenant) {
    CUdevResource all{};
    CUdevResourceDesc part = nullptr;
    CUgreenCtx green = nullptr;
    CUstream stream = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuDeviceGetDevResource)(0, &all, CU_DEV_RESOURCE_TYPE_SM),
              CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuDevResourceGenerateDesc)(&part, &all, 1), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuGreenCtxCreate)(&green, part, 0, CU_GREEN_CTX_DEFAULT_STREAM),
              CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuGreenCtxStreamCreate)(&stream, green, CU_STREAM_NON_BLOCKING, 0),
              CUDA_SUCCESS);
    return stream;
  }
  // Frees an allocation in a stream, whose context fails before it gets there.
  static void FreeBehindFault(Tenant& tenant, CUstream stream) {
    CUmodule module = nullptr;
    CUfunction fault = nullptr;
    CUdeviceptr plain = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuModuleGetFunction)(&fault, module, "fill_illegal_address"),
              CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&plain, kFreed), CUDA_SUCCESS);
    // Held back until all is enqueued.
    std::promise<void> gate;
    std::future<void> opened = gate.get_future();
    const auto await = [](void* opening) { static_cast<std::future<void>*>(opening)->wait(); };
    ASSERT_EQ(CALL(tenant.cuda, cuLaunchHostFunc)(stream, await, &opened), CUDA_SUCCESS);
    ASSERT_EQ(
        CALL(tenant.cuda, cuLaunchKernel)(fault, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr),
        CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemFreeAsync)(plain, stream), CUDA_SUCCESS);
    gate.set_value();
    ASSERT_EQ(CALL(tenant.cuda, cuStreamSynchronize)(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  }
  static constexpr uint64_t kFreed = 7 * kMiB;
};

TEST_F(FailedContextTest, GivesBackWhatItsStreamsWereToFreeWhenItIsReset) {
  InTenant([](Tenant& tenant) {
    FreeBehindFault(tenant, Stream(tenant));
    EXPECT_EQ(tenant.Charged(), kContext + kModule + kFreed);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), 0u);
    tenant.MakeContext();
    EXPECT_EQ(tenant.Charged(), kContext);
  });
}

TEST_F(FailedContextTest, GivesBackWhatAGreenOneWasToFreeWhenThePrimaryOneIsReset) {
  InTenant([](Tenant& tenant) {
    FreeBehindFault(tenant, GreenStream(tenant));
    EXPECT_EQ(tenant.Charged(), kContext + kModule + kFreed);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), 0u);
    tenant.MakeContext();
  });
}

TEST_F(FailedContextTest, GivesBackWhatItsStreamsWereToFreeWhenItIsDestroyed) {
  InTenant([](Tenant& tenant) {
    CUcontext context = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
    FreeBehindFault(tenant, Stream(tenant));
    EXPECT_EQ(tenant.Charged(), 2 * kContext + kModule + kFreed);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(context), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
  });
}

TEST_F(FailedContextTest, AContextThatEndsBeforeItsStreamsGotToTheirFreesGivesThemBackOnce) {
  InTenant([](Tenant& tenant) {
    CUstream stream = nullptr;
    CUdeviceptr kept = 0;
    CUdeviceptr freed = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&kept, kMiB), CUDA_SUCCESS);
    CUcontext context = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&freed, kFreed), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemFreeAsync)(freed, stream), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(context), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext + kMiB);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuMemFree_v2)(kept), CUDA_SUCCESS);
  });
}

TEST_F(ContextTest, TheLastDetachEndsAContext) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUcontext context = nullptr;
    CUcontext attached = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxAttach)(&attached, 0), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDetach)(context), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kContext);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDetach)(context), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
  });
}

// A limit that the driver takes memory for: not asked for what would not fit.
class ContextLimitTest : public MemoryTest {
 protected:
  static size_t Get(Tenant& tenant, CUlimit limit) {
    size_t value = 0;
    EXPECT_EQ(CALL(tenant.cuda, cuCtxGetLimit)(&value, limit), CUDA_SUCCESS);
    return value;
  }
  // That `value` may take `most` bytes.
  void ExpectHeldToTheByte(CUlimit limit, size_t value, uint64_t most) {
    InTenant([=](Tenant& tenant) {
      const size_t before = Get(tenant, limit);
      const uint64_t refusals = tenant.dir.Refusals();
      {
        const Ballast ballast(tenant, most - 1);
        EXPECT_EQ(CALL(tenant.cuda, cuCtxSetLimit)(limit, value), CUDA_ERROR_OUT_OF_MEMORY);
        EXPECT_EQ(Get(tenant, limit), before);
        EXPECT_EQ(tenant.Room(), most - 1);
        EXPECT_EQ(tenant.dir.Refusals(), refusals + 1);
      }
      const Ballast ballast(tenant, most);
      EXPECT_EQ(CALL(tenant.cuda, cuCtxSetLimit)(limit, value), CUDA_SUCCESS);
      EXPECT_EQ(Get(tenant, limit), value);
      EXPECT_EQ(tenant.Room(), most);  // the simulated driver takes nothing for it
      const Ballast rest(tenant, 0);
      EXPECT_EQ(CALL(tenant.cuda, cuCtxSetLimit)(limit, before), CUDA_SUCCESS);
    });
  }
};

TEST_F(ContextLimitTest, OfAStackEveryThreadHasOne) {
  constexpr uint64_t kThreads = 108 * 2048;  // of a simulated card, at once
  ExpectHeldToTheByte(CU_LIMIT_STACK_SIZE, 2048, 2048 * kThreads);
}

TEST_F(ContextLimitTest, HeapAndPrintfBufferAreTakenAsAskedFor) {
  ExpectHeldToTheByte(CU_LIMIT_MALLOC_HEAP_SIZE, 64 * kMiB, 64 * kMiB);
  ExpectHeldToTheByte(CU_LIMIT_PRINTF_FIFO_SIZE, 31 * kMiB, 32 * kMiB);
}

TEST_F(ContextLimitTest, OfWhatTakesNobodyKnowsHowMuchSomethingMustBeFree) {
  ExpectHeldToTheByte(CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH, 4, 1);
}

TEST_F(ContextTest, ModulesAndLibrariesAreChargedUntilTheyAreUnloaded) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUmodule module = nullptr;
    CUlibrary library = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kModule);
    ASSERT_EQ(CALL(tenant.cuda, cuLibraryLoadData)(&library, kImage, nullptr, nullptr, 0, nullptr,
                                                   nullptr, 0),
              CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + 2 * kModule);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    EXPECT_EQ(CALL(tenant.cuda, cuModuleUnload)(module), CUDA_SUCCESS);
    EXPECT_NE(CALL(tenant.cuda, cuModuleUnload)(module), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before + kModule);
    EXPECT_EQ(CALL(tenant.cuda, cuLibraryUnload)(library), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

TEST_F(ContextTest, AModuleIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUmodule module = nullptr;
    ExpectExactToTheByte(tenant,
                         {[&] { return CALL(tenant.cuda, cuModuleLoadData)(&module, kImage); },
                          [&] { return CALL(tenant.cuda, cuModuleUnload)(module); }, kModule});
  });
}

// The first is measured, so it is made before anybody knows that it does not fit.
TEST_F(ContextTest, AModuleThatIsUndoneWritesNoOutput) {
  InTenant([](Tenant& tenant) {
    const Ballast ballast(tenant, kModule - 1);
    const auto before = reinterpret_cast<CUmodule>(uintptr_t{0x1234});
    CUmodule module = before;
    EXPECT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(module, before);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
  });
}

TEST_F(ContextTest, BadImagesCostNothing) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUmodule module = nullptr;
    EXPECT_NE(CALL(tenant.cuda, cuModuleLoadData)(&module, nullptr), CUDA_SUCCESS);
    EXPECT_NE(CALL(tenant.cuda, cuModuleLoad)(&module, "/nowhere"), CUDA_SUCCESS);
    EXPECT_NE(CALL(tenant.cuda, cuModuleLoadData)(nullptr, kImage), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

}  // namespace
}  // namespace warpshare::testing

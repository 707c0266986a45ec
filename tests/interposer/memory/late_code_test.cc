// Code that comes onto a card after it was loaded: libraries with their first use in a context,
// functions with theirs. What each took is charged, until it is unloaded or its context ends.
#include <unistd.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/graph/node_api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kContext = kMiB;  // what the world of these tests takes for one
constexpr uint64_t kModule = kMiB;
constexpr uint64_t kFunction = 3 * kMiB;
constexpr char kImage[] = "kernel";

CUlibrary LoadLibrary(const Tenant& tenant) {
  CUlibrary library = nullptr;
  EXPECT_EQ(CALL(tenant.cuda, cuLibraryLoadData)(&library, kImage, nullptr, nullptr, 0, nullptr,
                                                 nullptr, 0),
            CUDA_SUCCESS);
  return library;
}

CUkernel KernelOf(const Tenant& tenant, CUlibrary library, const char* name = "kernel_1us") {
  CUkernel kernel = nullptr;
  EXPECT_EQ(CALL(tenant.cuda, cuLibraryGetKernel)(&kernel, library, name), CUDA_SUCCESS);
  return kernel;
}

CUfunction AsFunction(CUkernel kernel) { return reinterpret_cast<CUfunction>(kernel); }

CUresult Launch(const Tenant& tenant, CUfunction function, CUstream stream = nullptr) {
  return CALL(tenant.cuda, cuLaunchKernel)(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr);
}

class LateLibraryTest : public MemoryTest {};

// Each way to bring a library into the current context.
using Way = std::function<CUresult(const Tenant&, CUlibrary)>;
const std::vector<Way> kWays = {
    [](const Tenant& tenant, CUlibrary library) {
      CUmodule module = nullptr;
      return CALL(tenant.cuda, cuLibraryGetModule)(&module, library);
    },
    [](const Tenant& tenant, CUlibrary library) {
      CUdeviceptr pointer = 0;
      size_t bytes = 0;
      return CALL(tenant.cuda, cuLibraryGetGlobal)(&pointer, &bytes, library, "variable");
    },
    [](const Tenant& tenant, CUlibrary library) {
      CUfunction function = nullptr;
      return CALL(tenant.cuda, cuKernelGetFunction)(&function, KernelOf(tenant, library));
    },
    [](const Tenant& tenant, CUlibrary library) {
      return Launch(tenant, AsFunction(KernelOf(tenant, library)));
    },
    [](const Tenant& tenant, CUlibrary library) {
      int blocks = 0;
      return CALL(tenant.cuda, cuOccupancyMaxActiveBlocksPerMultiprocessor)(
          &blocks, AsFunction(KernelOf(tenant, library)), 32, 0);
    },
    [](const Tenant& tenant, CUlibrary library) {
      int value = 0;
      return CALL(tenant.cuda, cuFuncGetAttribute)(&value, CU_FUNC_ATTRIBUTE_NUM_REGS,
                                                   AsFunction(KernelOf(tenant, library)));
    },
    [](const Tenant& tenant, CUlibrary library) {
      CUgraph graph = nullptr;
      CUgraphNode node = nullptr;
      CUDA_KERNEL_NODE_PARAMS_v2 launch{};
      launch.kern = KernelOf(tenant, library);
      launch.gridDimX = launch.gridDimY = launch.gridDimZ = 1;
      launch.blockDimX = launch.blockDimY = launch.blockDimZ = 1;
      EXPECT_EQ(CALL(tenant.cuda, cuGraphCreate)(&graph, 0), CUDA_SUCCESS);
      const CUresult result =
          CALL(tenant.cuda, cuGraphAddKernelNode_v2)(&node, graph, nullptr, 0, &launch);
      EXPECT_EQ(CALL(tenant.cuda, cuGraphDestroy)(graph), CUDA_SUCCESS);
      return result;
    },
    [](const Tenant& tenant, CUlibrary library) {
      unsigned count = 0;
      EXPECT_EQ(CALL(tenant.cuda, cuLibraryGetKernelCount)(&count, library), CUDA_SUCCESS);
      (void)KernelOf(tenant, library);
      std::vector<CUkernel> kernels(4);
      EXPECT_EQ(CALL(tenant.cuda, cuLibraryEnumerateKernels)(kernels.data(), 4, library),
                CUDA_SUCCESS);
      return Launch(tenant, AsFunction(kernels[0]));
    },
};

TEST_F(LateLibraryTest, IsChargedInEachContextThatUsesIt) {
  InTenant([](Tenant& tenant) {
    CUcontext second = nullptr;  // on the other card
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&second, 0, 1), CUDA_SUCCESS);
    for (const Way& use : kWays) {
      ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
      const CUlibrary library = LoadLibrary(tenant);
      EXPECT_EQ(tenant.Charged(0), kContext + kModule);
      EXPECT_EQ(tenant.Charged(1), kContext);
      ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(second), CUDA_SUCCESS);
      for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(use(tenant, library), CUDA_SUCCESS);
        EXPECT_GE(tenant.Charged(1), kContext + kModule);
        EXPECT_EQ(tenant.OnCard(), tenant.Charged(1));
      }
      EXPECT_EQ(CALL(tenant.cuda, cuLibraryUnload)(library), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(0), kContext);
      EXPECT_EQ(tenant.Charged(1), kContext);
    }
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(second), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
  });
}

TEST_F(LateLibraryTest, GoesWithTheContextThatUsedItAndIsChargedInTheNext) {
  InTenant([](Tenant& tenant) {
    const CUlibrary library = LoadLibrary(tenant);
    const CUfunction kernel = AsFunction(KernelOf(tenant, library));
    for (int i = 0; i < 3; ++i) {  // a new context may have the handle of one before
      CUcontext context = nullptr;
      ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
      EXPECT_EQ(Launch(tenant, kernel), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), 2 * kContext + 2 * kModule);
      EXPECT_EQ(tenant.OnCard(), tenant.Charged());
      ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(context), CUDA_SUCCESS);
      ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext + kModule);
    }
    EXPECT_EQ(CALL(tenant.cuda, cuLibraryUnload)(library), CUDA_SUCCESS);
  });
}

// Loaded while no context is current, it is in none until somebody asks it for something there.
TEST_F(LateLibraryTest, IsChargedWhereItIsFirstNeeded) {
  InTenant([](Tenant& tenant) {
    const auto load = [&tenant] {
      EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(nullptr), CUDA_SUCCESS);
      const CUlibrary library = LoadLibrary(tenant);
      EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
      return library;
    };
    for (const Way& use : kWays) {
      const CUlibrary library = load();
      EXPECT_EQ(tenant.Charged(), kContext);
      EXPECT_EQ(use(tenant, library), CUDA_SUCCESS);
      EXPECT_GE(tenant.Charged(), kContext + kModule);
      EXPECT_EQ(tenant.OnCard(), tenant.Charged());
      EXPECT_EQ(CALL(tenant.cuda, cuLibraryUnload)(library), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext);
    }
    const CUlibrary library = load();
    {
      const Ballast ballast(tenant, kModule - 1);
      EXPECT_EQ(kWays[0](tenant, library), CUDA_ERROR_OUT_OF_MEMORY);
      EXPECT_EQ(kWays[3](tenant, library), CUDA_ERROR_OUT_OF_MEMORY);
      EXPECT_EQ(tenant.Room(), kModule - 1);
    }
    EXPECT_EQ(CALL(tenant.cuda, cuLibraryUnload)(library), CUDA_SUCCESS);
  });
}

TEST_F(LateLibraryTest, IsChargedOnceWhereThreadsUseItFirstAtTheSameTime) {
  InTenant([](Tenant& tenant) {
    for (int round = 0; round < 20; ++round) {
      ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(nullptr), CUDA_SUCCESS);
      const CUlibrary library = LoadLibrary(tenant);
      std::vector<CUkernel> kernels;
      for (const char* name : {"a_1us", "b_1us", "c_1us", "d_1us"})
        kernels.push_back(KernelOf(tenant, library, name));
      ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
      std::atomic<int> there = 0;
      std::vector<std::thread> threads;
      for (const CUkernel kernel : kernels) {
        threads.emplace_back([&there, &tenant, kernel] {
          EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
          for (++there; there < 4;) std::this_thread::yield();
          EXPECT_EQ(Launch(tenant, AsFunction(kernel)), CUDA_SUCCESS);
        });
      }
      for (std::thread& thread : threads) thread.join();
      EXPECT_EQ(tenant.Charged(), kContext + kModule);
      EXPECT_EQ(CALL(tenant.cuda, cuLibraryUnload)(library), CUDA_SUCCESS);
    }
  });
}

class LateFunctionTest : public MemoryTest {
 protected:
  explicit LateFunctionTest(const std::string& more = "")
      : MemoryTest("function_memory = 3MiB\n" + more) {}
};

CUfunction FunctionOf(const Tenant& tenant, CUmodule module, const char* name) {
  CUfunction function = nullptr;
  EXPECT_EQ(CALL(tenant.cuda, cuModuleGetFunction)(&function, module, name), CUDA_SUCCESS);
  return function;
}

TEST_F(LateFunctionTest, EachIsChargedWhenItIsFirstLaunchedAndGoesWithItsModule) {
  InTenant([](Tenant& tenant) {
    for (int i = 0; i < 3; ++i) {  // a new module's functions may have the handles of those before
      CUmodule module = nullptr;
      ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
      const CUfunction first = FunctionOf(tenant, module, "first_1us");
      const CUfunction second = FunctionOf(tenant, module, "second_1us");
      EXPECT_EQ(tenant.Charged(), kContext + kModule);
      EXPECT_EQ(Launch(tenant, first), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction);
      EXPECT_EQ(Launch(tenant, first), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction);
      EXPECT_EQ(CALL(tenant.cuda, cuFuncLoad)(second), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext + kModule + 2 * kFunction);
      EXPECT_EQ(tenant.OnCard(), tenant.Charged());
      ASSERT_EQ(CALL(tenant.cuda, cuModuleUnload)(module), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext);
    }
  });
}

TEST_F(LateFunctionTest, OfALibraryIsChargedInEachContext) {
  InTenant([](Tenant& tenant) {
    const CUlibrary library = LoadLibrary(tenant);
    const CUkernel kernel = KernelOf(tenant, library);
    CUfunction function = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuKernelGetFunction)(&function, kernel), CUDA_SUCCESS);
    EXPECT_EQ(Launch(tenant, function), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction);
    CUcontext second = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&second, 0, 1), CUDA_SUCCESS);
    EXPECT_EQ(Launch(tenant, AsFunction(kernel)), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(1), kContext + kModule + kFunction);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged(1));
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(second), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(1), 0u);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuLibraryUnload)(library), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext);
  });
}

TEST_F(LateFunctionTest, OfALibrarysModuleGoesWithTheLibrary) {
  InTenant([](Tenant& tenant) {
    for (int i = 0; i < 3; ++i) {
      const CUlibrary library = LoadLibrary(tenant);
      CUmodule module = nullptr;
      ASSERT_EQ(CALL(tenant.cuda, cuLibraryGetModule)(&module, library), CUDA_SUCCESS);
      EXPECT_EQ(Launch(tenant, FunctionOf(tenant, module, "kernel_1us")), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction);
      EXPECT_EQ(tenant.OnCard(), tenant.Charged());
      ASSERT_EQ(CALL(tenant.cuda, cuLibraryUnload)(library), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext);
    }
  });
}

TEST_F(LateFunctionTest, IsChargedOverTheLimitWhereALaunchBroughtIt) {
  InTenant([](Tenant& tenant) {
    CUmodule module = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    const CUfunction function = FunctionOf(tenant, module, "kernel_1us");
    {
      const Ballast ballast(tenant, kFunction - 1);
      EXPECT_EQ(Launch(tenant, function), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kLimit + 1);
      CUdeviceptr pointer = 0;
      EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, 1), CUDA_ERROR_OUT_OF_MEMORY);
    }
    EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction);
  });
}

TEST_F(LateFunctionTest, IsNotChargedForWhatTheProcessAllocatesMeanwhile) {
  InTenant([](Tenant& tenant) {
    static const Tenant* allocating = nullptr;
    allocating = &tenant;
    CUmodule module = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    AskForBlockSize(tenant, FunctionOf(tenant, module, "kernel_1us"), [](int) -> size_t {
      static CUdeviceptr pointer = 0;
      if (pointer == 0) {
        EXPECT_EQ(CALL(allocating->cuda, cuMemAlloc_v2)(&pointer, kMiB), CUDA_SUCCESS);
      }
      return 0;
    });
    EXPECT_EQ(tenant.Charged(), kContext + kModule + kMiB);
  });
}

TEST_F(LateFunctionTest, IsNotChargedForWhatAnotherProcessTakesMeanwhile) {
  static int to_other[2];
  static int from_other[2];
  ASSERT_EQ(pipe(to_other), 0);
  ASSERT_EQ(pipe(from_other), 0);
  constexpr uint64_t kTaken = 5 * kMiB;
  const pid_t other = StartBareTenant([](Tenant& tenant) {
    tenant.MakeContext();
    char word = 0;
    CUdeviceptr pointer = 0;
    EXPECT_EQ(write(from_other[1], &word, 1), 1);
    EXPECT_EQ(read(to_other[0], &word, 1), 1);
    EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kTaken), CUDA_SUCCESS);
    EXPECT_EQ(write(from_other[1], &word, 1), 1);
    EXPECT_EQ(read(to_other[0], &word, 1), 1);
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(write(from_other[1], &word, 1), 1);
  });
  InTenant([](Tenant& tenant) {
    char word = 0;
    ASSERT_EQ(read(from_other[0], &word, 1), 1);
    CUmodule module = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), 2 * kContext + kModule);
    AskForBlockSize(tenant, FunctionOf(tenant, module, "kernel_1us"), [](int) -> size_t {
      static char once = 0;
      if (once++ != 0) return 0;
      EXPECT_EQ(write(to_other[1], &once, 1), 1);
      EXPECT_EQ(read(from_other[0], &once, 1), 1);
      once = 1;
      return 0;
    });
    EXPECT_EQ(tenant.Charged(), 2 * kContext + kModule + kTaken);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    ASSERT_EQ(write(to_other[1], &word, 1), 1);
    ASSERT_EQ(read(from_other[0], &word, 1), 1);
  });
  EXPECT_EQ(AwaitChild(other), 0);
}

TEST_F(LateFunctionTest, IsChargedOnceWhereManyThreadsLaunchFirst) {
  InTenant([](Tenant& tenant) {
    constexpr int kFunctions = 40;
    CUmodule module = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    std::vector<CUfunction> functions;
    for (int i = 0; i < kFunctions; ++i) {
      functions.push_back(
          FunctionOf(tenant, module, ("kernel" + std::to_string(i) + "_1us").c_str()));
    }
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        EXPECT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
        for (const CUfunction function : functions) {
          EXPECT_EQ(Launch(tenant, function), CUDA_SUCCESS);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(tenant.OnCard(), kContext + kModule + kFunctions * kFunction);
    EXPECT_EQ(tenant.Charged(), tenant.OnCard());
  });
}

class LateGraphTest : public LateFunctionTest {
 protected:
  static constexpr uint64_t kExec = kMiB / 2;

  LateGraphTest() : LateFunctionTest("graph_exec_memory = 512KiB\n") {}

  // Records a launch and leaves it at that.
  static CUgraph Record(const Tenant& tenant, CUfunction function) {
    CUstream stream = nullptr;
    CUgraph graph = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuStreamBeginCapture_v2)(stream, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
    EXPECT_EQ(Launch(tenant, function, stream), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuStreamEndCapture)(stream, &graph), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuStreamDestroy_v2)(stream), CUDA_SUCCESS);
    return graph;
  }
};

TEST_F(LateGraphTest, AFunctionThatIsOnlyRecordedIsChargedWhenItRuns) {
  InTenant([](Tenant& tenant) {
    CUmodule module = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    const CUfunction function = FunctionOf(tenant, module, "kernel_1us");
    const CUgraph graph = Record(tenant, function);
    EXPECT_EQ(tenant.Charged(), kContext + kModule);
    EXPECT_EQ(Launch(tenant, function), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction);
    EXPECT_EQ(CALL(tenant.cuda, cuGraphDestroy)(graph), CUDA_SUCCESS);
  });
}

TEST_F(LateGraphTest, AnExecutableGraphIsChargedAndItsKernelsStayWhenItGoes) {
  InTenant([](Tenant& tenant) {
    CUmodule module = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, kImage), CUDA_SUCCESS);
    const CUgraph graph = Record(tenant, FunctionOf(tenant, module, "kernel_1us"));
    for (int i = 0; i < 3; ++i) {
      CUgraphExec exec = nullptr;
      ASSERT_EQ(CALL(tenant.cuda, cuGraphInstantiateWithFlags)(&exec, graph, 0), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction + kExec);
      EXPECT_EQ(CALL(tenant.cuda, cuGraphLaunch)(exec, nullptr), CUDA_SUCCESS);
      EXPECT_EQ(tenant.OnCard(), tenant.Charged());
      EXPECT_EQ(CALL(tenant.cuda, cuCtxSynchronize)(), CUDA_SUCCESS);
      EXPECT_EQ(CALL(tenant.cuda, cuGraphExecDestroy)(exec), CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction);
    }
    EXPECT_EQ(CALL(tenant.cuda, cuGraphDestroy)(graph), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuModuleUnload)(module), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext);
  });
}

}  // namespace
}  // namespace warpshare::testing

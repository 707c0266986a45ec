// Contexts and code where the driver's list of processes does not tell what this one has, as in
// many containers: then the whole card is measured, and nothing is learned from what cannot be.
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kContext = kMiB;  // what the world of these tests takes for one
constexpr uint64_t kModule = kMiB;

class UntoldTest : public MemoryTest, public ::testing::WithParamInterface<const char*> {
 protected:
  UntoldTest() : MemoryTest(std::string("process_memory = ") + GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Lists, UntoldTest, ::testing::Values("hidden", "unknown"),
                         [](const auto& list) { return list.param; });

TEST_P(UntoldTest, EveryContextIsChargedWhatTheCardLost) {
  InTenant([](Tenant& tenant) {
    EXPECT_EQ(tenant.Charged(), kContext);
    CUcontext context = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), 2 * kContext);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(context), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
  });
  EXPECT_EQ(tenant_.usage().cards[0].context_bytes, kContext);
}

TEST_P(UntoldTest, AContextCanBeMadeWithoutALimit) {
  tenant_.SetLimit(0, abi::kNoLimit);
  InTenant([](Tenant& tenant) { EXPECT_EQ(tenant.Charged(), kContext); });
}

TEST_P(UntoldTest, EveryLoadOfCodeIsChargedWhatTheCardLost) {
  InTenant([](Tenant& tenant) {
    CUmodule modules[3] = {};
    for (CUmodule& module : modules)
      ASSERT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, "kernel"), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), kContext + 3 * kModule);
    const Ballast ballast(tenant, 0);
    CUmodule module = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, "kernel"), CUDA_ERROR_OUT_OF_MEMORY);
  });
  EXPECT_EQ(tenant_.usage().cards[0].code_least_plus_1, 0u);
}

class UntoldFunctionTest : public MemoryTest, public ::testing::WithParamInterface<const char*> {
 protected:
  static constexpr uint64_t kFunction = 3 * kMiB;

  UntoldFunctionTest()
      : MemoryTest(std::string("function_memory = 3MiB\nprocess_memory = ") + GetParam()) {}

  static CUfunction FunctionOf(const Tenant& tenant) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, "kernel"), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuModuleGetFunction)(&function, module, "kernel_1us"),
              CUDA_SUCCESS);
    return function;
  }
};
INSTANTIATE_TEST_SUITE_P(Lists, UntoldFunctionTest, ::testing::Values("hidden", "unknown"),
                         [](const auto& list) { return list.param; });

TEST_P(UntoldFunctionTest, AFunctionsCodeIsChargedWhatTheCardLost) {
  InTenant([](Tenant& tenant) {
    const CUfunction function = FunctionOf(tenant);
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(CALL(tenant.cuda, cuLaunchKernel)(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                                                  nullptr),
                CUDA_SUCCESS);
      EXPECT_EQ(tenant.Charged(), kContext + kModule + kFunction);
    }
  });
}

TEST_P(UntoldFunctionTest, WhatIsAllocatedMeanwhileIsNotChargedTwice) {
  InTenant([](Tenant& tenant) {
    static const Tenant* allocating = nullptr;
    allocating = &tenant;
    AskForBlockSize(tenant, FunctionOf(tenant), [](int) -> size_t {
      static CUdeviceptr pointer = 0;
      if (pointer == 0) {
        EXPECT_EQ(CALL(allocating->cuda, cuMemAlloc_v2)(&pointer, kMiB), CUDA_SUCCESS);
      }
      return 0;
    });
    EXPECT_EQ(tenant.Charged(), kContext + kModule + kMiB);
  });
}

// Which here is another tenant's, as its maker is not charged for it.
TEST_P(UntoldFunctionTest, MoreThanAFunctionMayBeIsAnothersDoing) {
  InTenant([](Tenant& tenant) {
    static const Tenant* allocating = nullptr;
    static CUdeviceptr pointer = 0;
    allocating = &tenant;
    AskForBlockSize(tenant, FunctionOf(tenant), [](int) -> size_t {
      if (pointer == 0) {
        EXPECT_EQ(CALL(allocating->bare, cuMemAlloc_v2)(&pointer, 100 * kMiB), CUDA_SUCCESS);
      }
      return 0;
    });
    EXPECT_EQ(tenant.Charged(), kContext + kModule);
    EXPECT_EQ(CALL(tenant.bare, cuMemFree_v2)(pointer), CUDA_SUCCESS);
  });
}

// The whole card's figure tells nothing either.
class OddNvmlTest : public MemoryTest {
 protected:
  static constexpr uint64_t kAssumed = 512 * kMiB;  // for a context of which nothing is known

  OddNvmlTest() {
    std::filesystem::create_directory(driver_);
    std::filesystem::create_symlink(kSimgpuDir + "/libcuda.so.1", driver_ + "/libcuda.so.1");
    std::filesystem::create_symlink(kOddDriverDir + "/libnvidia-ml.so.1",
                                    driver_ + "/libnvidia-ml.so.1");
  }
  // `process_step`, `card_step`: what NVML tells more at each question.
  void ExpectContextOf(uint64_t bytes, uint64_t process_step, uint64_t card_step) {
    environment_ = {{abi::kEnvDriverDir, driver_},
                    {"FAKE_NVML_PROCESS", std::to_string(process_step)},
                    {"FAKE_NVML_CARD", std::to_string(card_step)}};
    InBareTenant([=](Tenant& tenant) {
      tenant.MakeContext();
      EXPECT_EQ(tenant.Charged(), bytes);
    });
    EXPECT_EQ(tenant_.usage().cards[0].context_bytes, bytes);
  }

  const std::string driver_ = tenant_.path() + "/driver";
};

constexpr uint64_t kWild = 100'000 * kMiB;

TEST_F(OddNvmlTest, AContextOfWhichNothingIsToldIsAssumedToTakeWhatOneMay) {
  ExpectContextOf(kAssumed, 0, 0);
}

TEST_F(OddNvmlTest, NoContextIsBelievedToTakeMoreThanOneCan) {
  ExpectContextOf(kAssumed, kWild, kWild);
}

TEST_F(OddNvmlTest, WhatSomebodyElseTakesMeanwhileIsNotTakenForAContext) {
  ExpectContextOf(kAssumed, 0, 3072 * kMiB);
}

TEST_F(OddNvmlTest, TheWholeCardIsMeasuredIfTheProcessIsSaidToTakeMoreThanItCan) {
  ExpectContextOf(7 * kMiB, kWild, 7 * kMiB);
}

TEST_F(OddNvmlTest, OfCodeNothingIsLearnedFromWhatCannotBe) {
  environment_ = {{abi::kEnvDriverDir, driver_},
                  {"FAKE_NVML_PROCESS", std::to_string(kWild)},
                  {"FAKE_NVML_CARD", "0"}};
  InBareTenant([](Tenant& tenant) {
    tenant.MakeContext();
    CUmodule module = nullptr;
    EXPECT_EQ(CALL(tenant.cuda, cuModuleLoadData)(&module, "kernel"), CUDA_SUCCESS);
  });
  EXPECT_EQ(tenant_.usage().cards[0].code_least_plus_1, 0u);
}

// What threads of this process of that name block, as a mask.
uint64_t BlockedBy(const std::string& thread) {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string name;
    std::getline(std::ifstream(task.path() / "comm"), name);
    if (name != thread) continue;
    std::ifstream status(task.path() / "status");
    for (std::string line; std::getline(status, line);)
      if (line.starts_with("SigBlk:")) return std::stoull(line.substr(7), nullptr, 16);
  }
  ADD_FAILURE() << "no thread " << thread;
  return 0;
}

TEST_F(OddNvmlTest, AThreadThatTheDriverKeepsTakesNoSignalOfTheProgram) {
  environment_ = {
      {abi::kEnvDriverDir, driver_}, {"FAKE_NVML_PROCESS", "0"}, {"FAKE_NVML_CARD", "0"}};
  InBareTenant([](Tenant& tenant) {
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, nullptr, &before);
    tenant.MakeContext();
    sigset_t after;
    pthread_sigmask(SIG_SETMASK, nullptr, &after);
    const uint64_t blocked = BlockedBy("fake-nvml");
    for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGALRM, SIGPROF, 34, 64}) {
      EXPECT_TRUE(blocked >> (signal - 1) & 1) << signal;
      EXPECT_EQ(sigismember(&after, signal), sigismember(&before, signal)) << signal;
    }
    for (const int signal : {SIGSEGV, SIGBUS, 32, 33})
      EXPECT_FALSE(blocked >> (signal - 1) & 1) << signal;
    EXPECT_EQ(setuid(getuid()), 0);  // waits for every thread
  });
}

}  // namespace
}  // namespace warpshare::testing

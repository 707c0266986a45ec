// Every way in which a program gets at a driver function ends at the right one.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <string.h>

#include <filesystem>

#include "abi/driver/cuda_driver.h"
#include "abi/driver/cuda_launch.h"
#include "abi/driver/nvml_result.h"
#include "abi/names/env.h"
#include "fake_driver/every_row.h"
#include "in_child.h"
#include "library_paths.h"

namespace warpshare::testing {
namespace {

using abi::CudaEntry;
using abi::CudaIndex;
using abi::Handling;
using abi::NvmlEntry;
using GetProcAddress = CUresult (*)(const char*, void**, int, cuuint64_t);
using GetProcAddressV2 = CUresult (*)(const char*, void**, int, cuuint64_t,
                                      CUdriverProcAddressQueryResult*);
using Stub = int (*)();
using LaunchKernel = CUresult (*)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  unsigned, unsigned, CUstream, void**, void**);
using ParamSetf = CUresult (*)(CUfunction, int, float);

// A library and the functions that a test asks of it.
class Library {
 public:
  explicit Library(const std::string& path, int mode = RTLD_NOW | RTLD_LOCAL)
      : handle_(dlopen(path.c_str(), mode)) {
    if (handle_ == nullptr) fprintf(stderr, "%s\n", dlerror());
  }
  void* Find(const char* symbol) const { return dlsym(handle_, symbol); }
  template <typename Function>
  Function As(const char* symbol) const {
    return reinterpret_cast<Function>(Find(symbol));
  }
  int Call(const char* symbol) const { return As<Stub>(symbol)(); }
  bool is_there() const { return handle_ != nullptr; }

 private:
  void* handle_;
};

const std::string kOurCuda = kInterposerDir + "/libcuda.so.1";
const std::string kOurNvml = kInterposerDir + "/libnvidia-ml.so.1";

class RoutesTest : public ::testing::Test {
 protected:
  RoutesTest() {
    unsetenv(abi::kEnvTenantDir);
    unsetenv(kEnvInternalAddresses);
    setenv(abi::kEnvDriverDir, kEveryRowDir.c_str(), 1);
  }
};

#define CHECK_THAT(condition) \
  if (!(condition))           \
  return fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition), false

bool PassesEveryCudaRow() {
  const Library ours(kOurCuda);
  for (size_t row = 0; row < abi::kCudaEntryCount; ++row) {
    const CudaEntry& entry = abi::kCudaEntries[row];
    CHECK_THAT(ours.Find(entry.symbol) != nullptr);
    if (entry.handling == Handling::kHook) continue;
    const int code = CodeOf(static_cast<CudaIndex>(row));
    CHECK_THAT(ours.Call(entry.symbol) == code);  // looks it up
    CHECK_THAT(ours.Call(entry.symbol) == code);  // has it
  }
  return true;
}

TEST_F(RoutesTest, EveryPassedFunctionReachesTheDriversOwn) {
  EXPECT_EQ(InChild(PassesEveryCudaRow), 0);
}

TEST_F(RoutesTest, EveryPassedNvmlFunctionReachesTheDriversOwn) {
  EXPECT_EQ(InChild([] {
              const Library ours(kOurNvml);
              for (size_t row = 0; row < abi::kNvmlEntryCount; ++row) {
                const NvmlEntry& entry = abi::kNvmlEntries[row];
                CHECK_THAT(ours.Find(entry.symbol) != nullptr);
                if (entry.handling == Handling::kHook) continue;
                CHECK_THAT(ours.Call(entry.symbol) == CodeOf(static_cast<abi::NvmlIndex>(row)));
              }
              return true;
            }),
            0);
}

// What a look-up gave, as the exported symbol of the driver or of ours that it is; null if it is
// neither.
struct Origin {
  const char* symbol;
  bool is_ours;
};

Origin OriginOf(void* function, const Library& ours, const Library& driver) {
  for (const CudaEntry& entry : abi::kCudaEntries) {
    if (function == driver.Find(entry.symbol)) return {entry.symbol, false};
    if (function == ours.Find(entry.symbol)) return {entry.symbol, true};
  }
  return {nullptr, false};
}

bool IsHooked(const char* symbol) {
  for (const CudaEntry& entry : abi::kCudaEntries) {
    if (strcmp(entry.symbol, symbol) == 0) return entry.handling == Handling::kHook;
  }
  return false;
}

// One question to both; ours must name the same variant, and be our own if and only if its row is
// hooked.
bool AgreesOn(const char* name, int version, cuuint64_t flags, const Library& ours,
              const Library& driver) {
  void* from_ours = &from_ours;
  void* from_driver = &from_driver;
  auto our_status = static_cast<CUdriverProcAddressQueryResult>(77);
  auto driver_status = our_status;
  const auto ask_ours = ours.As<GetProcAddressV2>("cuGetProcAddress_v2");
  const auto ask_driver = driver.As<GetProcAddressV2>("cuGetProcAddress_v2");
  CHECK_THAT(ask_ours(name, &from_ours, version, flags, &our_status) ==
             ask_driver(name, &from_driver, version, flags, &driver_status));
  CHECK_THAT(our_status == driver_status);
  CHECK_THAT((from_ours == nullptr) == (from_driver == nullptr));
  void* from_v1 = nullptr;
  ours.As<GetProcAddress>("cuGetProcAddress")(name, &from_v1, version, flags);
  CHECK_THAT(from_v1 == from_ours);
  if (from_ours == nullptr) return true;
  if (getenv(kEnvInternalAddresses) != nullptr && !OriginOf(from_ours, ours, driver).is_ours) {
    return from_ours == from_driver;
  }
  const Origin got = OriginOf(from_ours, ours, driver);
  CHECK_THAT(got.symbol != nullptr);
  if (getenv(kEnvInternalAddresses) == nullptr) {
    CHECK_THAT(strcmp(got.symbol, OriginOf(from_driver, ours, driver).symbol) == 0);
  }
  return got.is_ours == IsHooked(got.symbol);
}

bool AgreesOnEveryName() {
  const Library ours(kOurCuda);
  const Library driver(kEveryRowDir + "/libcuda.so.1");
  const char* last = "";
  for (const CudaEntry& entry : abi::kCudaEntries) {
    if (strcmp(entry.proc_name, last) == 0) continue;
    last = entry.proc_name;
    for (const int version :
         {1000,  2000,  3010,  3020,  4000,  5050,  6050,  7000,  8000,  9020,  10020, 11000,
          11010, 11020, 11030, 11040, 11080, 12000, 12020, 12030, 12050, 12080, 13000, 13020}) {
      for (const cuuint64_t flags : {0, 1, 2}) {
        if (!AgreesOn(last, version, flags, ours, driver)) {
          fprintf(stderr, "%s at %d with flags %d\n", last, version, static_cast<int>(flags));
          return false;
        }
      }
    }
  }
  return true;
}

TEST_F(RoutesTest, Scenario04_ProcAddressGivesTheDriversVariantForEveryNameVersionAndFlag) {
  EXPECT_EQ(InChild(AgreesOnEveryName), 0);
}

TEST_F(RoutesTest, Scenario04_AHookIsFoundWhenTheDriverLooksUpOtherAddressesThanItExports) {
  setenv(kEnvInternalAddresses, "1", 1);
  EXPECT_EQ(
      InChild([] {
        const Library ours(kOurCuda);
        for (const CudaEntry& entry : abi::kCudaEntries) {
          const bool per_thread = entry.stream_mode == abi::StreamMode::kPerThread;
          void* function = nullptr;
          const auto look_up = ours.As<GetProcAddress>("cuGetProcAddress");
          CHECK_THAT(look_up(entry.proc_name, &function, entry.since, per_thread ? 2 : 1) ==
                     CUDA_SUCCESS);
          CHECK_THAT((function == ours.Find(entry.symbol)) == (entry.handling == Handling::kHook));
        }
        return true;
      }),
      0);
}

TEST_F(RoutesTest, Scenario04_TheLookupAnswersForItselfAndForOddNames) {
  EXPECT_EQ(
      InChild([] {
        const Library ours(kOurCuda);
        const auto look_up = ours.As<GetProcAddressV2>("cuGetProcAddress_v2");
        void* function = nullptr;
        CHECK_THAT(look_up("cuGetProcAddress", &function, 11030, 0, nullptr) == CUDA_SUCCESS);
        CHECK_THAT(function == ours.Find("cuGetProcAddress"));
        CHECK_THAT(look_up("cuGetProcAddress", &function, 12000, 0, nullptr) == CUDA_SUCCESS);
        CHECK_THAT(function == ours.Find("cuGetProcAddress_v2"));
        CHECK_THAT(look_up("", &function, 12000, 0, nullptr) == CUDA_ERROR_NOT_FOUND);
        CHECK_THAT(look_up("cuGLNothing", &function, 12000, 0, nullptr) == CUDA_ERROR_NOT_FOUND);
        CHECK_THAT(look_up(nullptr, &function, 12000, 0, nullptr) == CUDA_ERROR_INVALID_VALUE);
        CHECK_THAT(look_up("cuInit", nullptr, 12000, 0, nullptr) == CUDA_ERROR_INVALID_VALUE);
        return true;
      }),
      0);
}

// Drivers that lack something.
class OldDriverTest : public RoutesTest {
 protected:
  OldDriverTest() { setenv(abi::kEnvDriverDir, kOldDriverDir.c_str(), 1); }
};

TEST_F(OldDriverTest, WhatItLacksIsNotSupported) {
  EXPECT_EQ(InChild([] {
              const Library ours(kOurCuda);
              CHECK_THAT(ours.Call("cuCtxGetDevice_v2") == CUDA_ERROR_NOT_SUPPORTED);
              CHECK_THAT(ours.Call("cuCtxGetDevice_v2") == CUDA_ERROR_NOT_SUPPORTED);
              return true;
            }),
            0);
}

TEST_F(OldDriverTest, ArgumentsArriveAsTheyWerePassed) {
  EXPECT_EQ(
      InChild([] {
        const Library ours(kOurCuda);
        const auto launch = ours.As<LaunchKernel>("cuLaunchKernel");
        const auto set_float = ours.As<ParamSetf>("cuParamSetf");
        for (int call = 0; call < 2; ++call) {
          const auto pointer = [](unsigned long number) { return reinterpret_cast<void*>(number); };
          CHECK_THAT(launch(static_cast<CUfunction>(pointer(100)), 1, 2, 3, 4, 5, 6, 7,
                            static_cast<CUstream>(pointer(8)), static_cast<void**>(pointer(9)),
                            static_cast<void**>(pointer(10))) ==
                     100 + 2 + 6 + 12 + 20 + 30 + 42 + 56 + 72 + 90 + 110);
          CHECK_THAT(set_float(static_cast<CUfunction>(pointer(50)), 3, 2.25F) == 50 + 6 + 9);
        }
        return true;
      }),
      0);
}

TEST_F(OldDriverTest, AFunctionNobodyHereKnowsIsTheDriversOwn) {
  EXPECT_EQ(InChild([] {
              const Library ours(kOurCuda);
              void* function = nullptr;
              CHECK_THAT(ours.As<GetProcAddress>("cuGetProcAddress")("cuOfTheFuture", &function,
                                                                     99000, 0) == CUDA_SUCCESS);
              CHECK_THAT(reinterpret_cast<Stub>(function)() == 4711);
              return true;
            }),
            0);
}

TEST_F(OldDriverTest, TheNewLookupIsServedByTheOldOne) {
  EXPECT_EQ(
      InChild([] {
        const Library ours(kOurCuda);
        const auto look_up = ours.As<GetProcAddressV2>("cuGetProcAddress_v2");
        void* function = nullptr;
        CUdriverProcAddressQueryResult status;
        CHECK_THAT(look_up("cuInit", &function, 11040, 0, &status) == CUDA_SUCCESS);
        CHECK_THAT(function == ours.Find("cuInit") && status == CU_GET_PROC_ADDRESS_SUCCESS);
        CHECK_THAT(look_up("cuNothing", &function, 11040, 0, &status) == CUDA_ERROR_NOT_FOUND);
        CHECK_THAT(status == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
        return true;
      }),
      0);
}

TEST_F(RoutesTest, WithoutADriverCallsFailAsOnAMachineWithoutACard) {
  setenv(abi::kEnvDriverDir, "/nonexistent", 1);
  EXPECT_EQ(
      InChild([] {
        const Library cuda(kOurCuda);
        const Library nvml(kOurNvml);
        CHECK_THAT(cuda.Call("cuInit") == CUDA_ERROR_NO_DEVICE);
        CHECK_THAT(cuda.Call("cuDriverGetVersion") == CUDA_ERROR_NO_DEVICE);
        CHECK_THAT(nvml.Call("nvmlSystemGetCudaDriverVersion") == NVML_ERROR_LIBRARY_NOT_FOUND);
        CHECK_THAT(strlen(nvml.As<const char* (*)(int)>("nvmlErrorString")(12)) > 0);
        return true;
      }),
      0);
}

// Where the driver is found.
TEST_F(RoutesTest, ADriverIsFoundOnTheLibraryPathBehindOurselves) {
  unsetenv(abi::kEnvDriverDir);
  setenv("LD_LIBRARY_PATH", (kInterposerDir + "::/nonexistent:" + kEveryRowDir).c_str(), 1);
  EXPECT_EQ(InChild([] {
              const Library ours(kOurCuda);
              return ours.Call("cuDriverGetVersion") == CodeOf(CudaIndex::cuDriverGetVersion);
            }),
            0);
  unsetenv("LD_LIBRARY_PATH");
}

// A second copy of our library, under another path and inode.
class SecondCopyTest : public RoutesTest {
 protected:
  SecondCopyTest() {
    std::string name = "/tmp/warpshare-test-XXXXXX";
    folder_ = mkdtemp(name.data());
    std::filesystem::copy_file(kOurCuda, folder_ / "libcuda.so.1");
  }
  ~SecondCopyTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(SecondCopyTest, IsNeverTakenForTheDriver) {
  setenv(abi::kEnvDriverDir, folder_.c_str(), 1);
  EXPECT_EQ(
      InChild([] { return Library(kOurCuda).Call("cuDriverGetVersion") == CUDA_ERROR_NO_DEVICE; }),
      0);
}

TEST_F(SecondCopyTest, PassesEverythingToTheFirst) {
  EXPECT_EQ(
      InChild([this] {
        const Library first(kOurCuda);
        const Library second(folder_ / "libcuda.so.1");
        CHECK_THAT(first.Find("cuInit") != second.Find("cuInit"));
        CHECK_THAT(second.Call("cuDriverGetVersion") == CodeOf(CudaIndex::cuDriverGetVersion));
        void* function = nullptr;
        CHECK_THAT(second.As<GetProcAddress>("cuGetProcAddress")("cuMemAlloc", &function, 12000,
                                                                 0) == CUDA_SUCCESS);
        CHECK_THAT(function == first.Find("cuMemAlloc_v2") ||
                   function == second.Find("cuMemAlloc_v2"));
        return true;
      }),
      0);
}

TEST_F(RoutesTest, Scenario05_LookupsByHandleDefaultAndNextWorkTwiceFromLocalAndDeepbindLibraries) {
  for (const int mode : {RTLD_LOCAL, RTLD_GLOBAL, RTLD_LOCAL | RTLD_DEEPBIND}) {
    EXPECT_EQ(
        InChild([mode] {
          const Library ours(kOurCuda, RTLD_NOW | mode);
          CHECK_THAT(ours.is_there());
          for (int time = 0; time < 2; ++time) {
            CHECK_THAT(ours.Call("cuDriverGetVersion") == CodeOf(CudaIndex::cuDriverGetVersion));
            CHECK_THAT(dlsym(RTLD_NEXT, "malloc") != nullptr);
            CHECK_THAT(dlsym(RTLD_DEFAULT, "malloc") != nullptr);
            CHECK_THAT((dlsym(RTLD_DEFAULT, "cuInit") != nullptr) == (mode == RTLD_GLOBAL));
          }
          return true;
        }),
        0);
  }
}

TEST_F(RoutesTest, Scenario05_NamesThatOnlyBeginLikeOursAreNotOurs) {
  EXPECT_EQ(InChild([] {
              const Library ours(kOurCuda, RTLD_NOW | RTLD_GLOBAL);
              for (const char* name :
                   {"cudnnCreate", "cublasCreate_v2", "curl_easy_init", "cudaMalloc", "cuda"}) {
                CHECK_THAT(ours.Find(name) == nullptr);
                CHECK_THAT(dlsym(RTLD_DEFAULT, name) == nullptr);
              }
              return true;
            }),
            0);
}

TEST_F(RoutesTest, Scenario05_TheNameAloneFindsUsOnceWeAreLoaded) {
  EXPECT_EQ(InChild([] {
              const Library ours(kOurCuda);
              const Library by_name("libcuda.so.1");
              return by_name.is_there() && by_name.Find("cuInit") == ours.Find("cuInit");
            }),
            0);
}

TEST_F(RoutesTest, WorksInALinkNamespaceOfItsOwn) {
  EXPECT_EQ(InChild([] {
              void* ours = dlmopen(LM_ID_NEWLM, kOurCuda.c_str(), RTLD_NOW);
              CHECK_THAT(ours != nullptr);
              const auto version = reinterpret_cast<Stub>(dlsym(ours, "cuDriverGetVersion"));
              return version() == CodeOf(CudaIndex::cuDriverGetVersion);
            }),
            0);
}

TEST_F(RoutesTest, StaysWhenItIsClosed) {
  EXPECT_EQ(InChild([] {
              void* ours = dlopen(kOurCuda.c_str(), RTLD_NOW);
              const auto version = reinterpret_cast<Stub>(dlsym(ours, "cuDriverGetVersion"));
              dlclose(ours);
              return version() == CodeOf(CudaIndex::cuDriverGetVersion);
            }),
            0);
}

}  // namespace
}  // namespace warpshare::testing

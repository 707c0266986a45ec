// What our functions ask of the driver beside the call that they stand for: each question is time
// that an allocation takes longer.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <functional>
#include <string>

#include "abi/driver/cuda_types.h"
#include "abi/names/env.h"
#include "in_child.h"
#include "library_paths.h"
#include "tenant_dir.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kLimit = 100 * kMiB;

struct Libraries {
  void* ours = dlopen((kInterposerDir + "/libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);
  void* driver = dlopen((kTellingDriverDir + "/libcuda.so.1").c_str(), RTLD_NOW | RTLD_LOCAL);

  template <typename... Arguments>
  CUresult Call(const char* name, Arguments... arguments) const {
    return reinterpret_cast<CUresult (*)(Arguments...)>(dlsym(ours, name))(arguments...);
  }
  std::string Calls() const {
    return reinterpret_cast<const char* (*)()>(dlsym(driver, "TellCalls"))();
  }
};

class DriverCallsTest : public ::testing::Test {
 protected:
  void InTenant(const std::function<void(const Libraries&)>& body) {
    EXPECT_EQ(InChild([&] {
                setenv(abi::kEnvDriverDir, kTellingDriverDir.c_str(), 1);
                setenv(abi::kEnvTenantDir, tenant_.path().c_str(), 1);
                const Libraries libraries;
                EXPECT_EQ(libraries.Call("cuInit", 0U), CUDA_SUCCESS);
                // The card of the context is known from here on.
                CUdeviceptr pointer = 0;
                EXPECT_EQ(libraries.Call("cuMemAlloc_v2", &pointer, size_t{1}), CUDA_SUCCESS);
                EXPECT_EQ(libraries.Call("cuMemFree_v2", pointer), CUDA_SUCCESS);
                (void)libraries.Calls();
                body(libraries);
                return !HasFailure();
              }),
              0);
  }

  TenantDir tenant_{{{.uuid = {1}, .memory_limit = kLimit}}};
};

CUDA_ARRAY_DESCRIPTOR Floats(size_t bytes) {
  return {
      .Width = 4096, .Height = bytes / 4096 / 4, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
}

TEST_F(DriverCallsTest, ARefusalOfLinearMemoryAsksNothing) {
  InTenant([](const Libraries& libraries) {
    CUdeviceptr pointer = 0;
    EXPECT_EQ(libraries.Call("cuMemAlloc_v2", &pointer, size_t{kLimit + 1}),
              CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(libraries.Calls(), "");
  });
}

TEST_F(DriverCallsTest, AnArrayWhoseElementsDoNotFitIsRefusedWithoutAskingForItsSize) {
  InTenant([](const Libraries& libraries) {
    CUarray array = nullptr;
    const CUDA_ARRAY_DESCRIPTOR floats = Floats(2 * kLimit);
    EXPECT_EQ(libraries.Call("cuArrayCreate_v2", &array, &floats), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(libraries.Calls(), "cuCtxGetCurrent");
  });
}

TEST_F(DriverCallsTest, AnArrayOfAFormatThatNobodyKnowsIsTheDriversToMeasure) {
  InTenant([](const Libraries& libraries) {
    CUarray array = nullptr;
    CUDA_ARRAY_DESCRIPTOR floats = Floats(2 * kLimit);
    floats.Format = static_cast<CUarray_format>(0x7777);
    EXPECT_EQ(libraries.Call("cuArrayCreate_v2", &array, &floats), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(libraries.Calls(),
              "cuCtxGetCurrent cuArray3DCreate_v2 cuArrayGetMemoryRequirements cuArrayDestroy");
  });
}

TEST_F(DriverCallsTest, TheSizeOfAnArrayIsAskedForOnceForItsShape) {
  InTenant([](const Libraries& libraries) {
    constexpr auto kAsked =
        "cuCtxGetCurrent cuArray3DCreate_v2 cuArrayGetMemoryRequirements cuArrayDestroy "
        "cuArrayCreate_v2";
    CUarray array = nullptr;
    const CUDA_ARRAY_DESCRIPTOR one = Floats(kMiB);
    const CUDA_ARRAY_DESCRIPTOR other = Floats(2 * kMiB);
    EXPECT_EQ(libraries.Call("cuArrayCreate_v2", &array, &one), CUDA_SUCCESS);
    (void)libraries.Calls();
    EXPECT_EQ(libraries.Call("cuArrayCreate_v2", &array, &one), CUDA_SUCCESS);
    EXPECT_EQ(libraries.Calls(), "cuCtxGetCurrent cuArrayCreate_v2");
    EXPECT_EQ(libraries.Call("cuArrayCreate_v2", &array, &other), CUDA_SUCCESS);
    EXPECT_EQ(libraries.Calls(), kAsked);
  });
}

TEST_F(DriverCallsTest, RowsThatDoNotFitWithoutPaddingAreRefusedWithoutAProbe) {
  InTenant([](const Libraries& libraries) {
    CUdeviceptr pointer = 0;
    size_t pitch = 0;
    EXPECT_EQ(libraries.Call("cuMemAllocPitch_v2", &pointer, &pitch, size_t{100},
                             size_t{kLimit / 100 + 1}, 4U),
              CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(libraries.Calls(), "");
  });
}

TEST_F(DriverCallsTest, AnAllocationFromAWarmPoolAsksForTheReportAlone) {
  InTenant([](const Libraries& libraries) {
    const CUstream stream = nullptr;
    CUdeviceptr pointer = 0;
    EXPECT_EQ(libraries.Call("cuMemAllocAsync", &pointer, size_t{kMiB}, stream), CUDA_SUCCESS);
    (void)libraries.Calls();
    EXPECT_EQ(libraries.Call("cuMemAllocAsync", &pointer, size_t{kMiB}, stream), CUDA_SUCCESS);
    EXPECT_EQ(libraries.Calls(), "cuMemAllocAsync cuMemPoolGetAttribute");
    EXPECT_EQ(libraries.Call("cuMemFreeAsync", pointer, stream), CUDA_SUCCESS);
    EXPECT_EQ(libraries.Calls(), "cuMemFreeAsync");
  });
}

// Nothing that the pool could let go of would make room for it.
TEST_F(DriverCallsTest, WhatDoesNotFitBesideAnEmptyPoolIsRefusedWithoutTrimmingIt) {
  InTenant([](const Libraries& libraries) {
    const CUstream stream = nullptr;
    CUdeviceptr pointer = 0;
    EXPECT_EQ(libraries.Call("cuMemAllocAsync", &pointer, size_t{kMiB}, stream), CUDA_SUCCESS);
    (void)libraries.Calls();
    EXPECT_EQ(libraries.Call("cuMemAllocAsync", &pointer, size_t{kLimit + 1}, stream),
              CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(libraries.Calls(), "");
  });
}

TEST_F(DriverCallsTest, AnotherCurrentPoolIsAskedForAgain) {
  InTenant([this](const Libraries& libraries) {
    const CUstream stream = nullptr;
    CUdeviceptr pointer = 0;
    EXPECT_EQ(libraries.Call("cuMemAllocAsync", &pointer, size_t{kMiB}, stream), CUDA_SUCCESS);
    CUmemPoolProps properties{};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUmemoryPool pool = nullptr;
    EXPECT_EQ(libraries.Call("cuMemPoolCreate", &pool, &properties), CUDA_SUCCESS);
    EXPECT_EQ(libraries.Call("cuDeviceSetMemPool", CUdevice{0}, pool), CUDA_SUCCESS);
    (void)libraries.Calls();
    EXPECT_EQ(libraries.Call("cuMemAllocAsync", &pointer, size_t{kMiB}, stream), CUDA_SUCCESS);
    EXPECT_NE(libraries.Calls().find("cuDeviceGetMemPool"), std::string::npos);
    EXPECT_EQ(tenant_.UsedBytes(0), 64 * kMiB);  // one store of each pool
  });
}

// Pools that simgpu has not: managed memory may come to a card wherever it begins.
TEST_F(DriverCallsTest, AManagedPoolOfNoCardCountsForTheOneThatUsesIt) {
  for (const CUmemLocationType location : {CU_MEM_LOCATION_TYPE_NONE, CU_MEM_LOCATION_TYPE_HOST}) {
    InTenant([this, location](const Libraries& libraries) {
      CUmemPoolProps properties{};
      properties.allocType = CU_MEM_ALLOCATION_TYPE_MANAGED;
      properties.location = {location, 0};
      CUmemoryPool pool = nullptr;
      CUdeviceptr pointer = 0;
      const CUstream stream = nullptr;
      EXPECT_EQ(libraries.Call("cuMemPoolCreate", &pool, &properties), CUDA_SUCCESS);
      EXPECT_EQ(libraries.Call("cuMemAllocFromPoolAsync", &pointer, size_t{kMiB}, pool, stream),
                CUDA_SUCCESS);
      EXPECT_EQ(tenant_.UsedBytes(0), 32 * kMiB);
    });
  }
}

}  // namespace
}  // namespace warpshare::testing

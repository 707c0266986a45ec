// Contexts and code: charged what the driver reports that they took.
#include <vector>

#include "memory/tenant_process.h"
#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/module/api.h"

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

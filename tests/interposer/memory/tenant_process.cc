#include "memory/tenant_process.h"

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/pointer/api.h"
#include "simgpu/cuda/process/api.h"

namespace warpshare::testing {

uint64_t Tenant::OnCard() const {
  size_t free_bytes = 0;
  size_t total_bytes = 0;
  EXPECT_EQ(CALL(bare, cuMemGetInfo_v2)(&free_bytes, &total_bytes), CUDA_SUCCESS);
  return total_bytes - free_bytes;
}

void Tenant::MakeContext() {
  ASSERT_EQ(CALL(cuda, cuDevicePrimaryCtxRetain)(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(context), CUDA_SUCCESS);
}

pid_t MemoryTest::StartBareTenant(const std::function<void(Tenant&)>& body) {
  return StartChild([&] {
    Environment environment = world_.Interposed(&tenant_);
    environment.insert(environment.end(), environment_.begin(), environment_.end());
    for (const auto& [name, value] : environment) {
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    }
    Tenant tenant{
        .cuda = CudaLibrary(kInterposerDir), .bare = CudaLibrary(kSimgpuDir), .dir = tenant_};
    EXPECT_TRUE(tenant.cuda.is_loaded() && tenant.bare.is_loaded()) << dlerror();
    EXPECT_EQ(CALL(tenant.cuda, cuInit)(0), CUDA_SUCCESS);
    body(tenant);
    return !HasFailure();
  });
}

void MemoryTest::InBareTenant(const std::function<void(Tenant&)>& body) {
  EXPECT_EQ(AwaitChild(StartBareTenant(body)), 0) << "in the tenant's process";
}

void MemoryTest::InTenant(const std::function<void(Tenant&)>& body) {
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    body(tenant);
    EXPECT_EQ(tenant.Charged(), tenant.OnCard());
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), 0u);
  });
}

void AskForBlockSize(const Tenant& tenant, CUfunction function, CUoccupancyB2DSize meanwhile) {
  int grid = 0;
  int block = 0;
  EXPECT_EQ(
      CALL(tenant.cuda, cuOccupancyMaxPotentialBlockSize)(&grid, &block, function, meanwhile, 0, 0),
      CUDA_SUCCESS);
}

Ballast::Ballast(Tenant& tenant, uint64_t left) : tenant_(tenant) {
  EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer_, tenant.Room() - left), CUDA_SUCCESS);
}

Ballast::~Ballast() {
  if (pointer_ != 0) {
    EXPECT_EQ(CALL(tenant_.cuda, cuMemFree_v2)(pointer_), CUDA_SUCCESS);
  }
}

void ExpectExactToTheByte(Tenant& tenant, const Family& family) {
  const uint64_t before = tenant.Charged();
  const uint64_t refusals = tenant.dir.Refusals();
  {
    const Ballast ballast(tenant, family.bytes - 1);
    const uint64_t full = tenant.Charged();
    EXPECT_EQ(family.make(), CUDA_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(tenant.Charged(), full);
    EXPECT_EQ(tenant.OnCard(), full);
    EXPECT_GT(tenant.dir.Refusals(), refusals);
  }
  EXPECT_EQ(tenant.Charged(), before);
  const Ballast ballast(tenant, family.bytes);
  EXPECT_EQ(family.make(), CUDA_SUCCESS);
  EXPECT_EQ(tenant.Room(), 0u);
  EXPECT_EQ(tenant.OnCard(), tenant.Charged());
  EXPECT_EQ(family.free(), CUDA_SUCCESS);
  EXPECT_EQ(tenant.Room(), family.bytes);
  EXPECT_EQ(tenant.OnCard(), tenant.Charged());
}

}  // namespace warpshare::testing

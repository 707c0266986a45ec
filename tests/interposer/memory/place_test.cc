// Which card an allocation is charged to, and with which context it ends: asked of the driver where
// a tenant has several cards, known without asking where it has one.
#include <thread>

#include "memory/tenant_process.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/vmm/api.h"

namespace warpshare::testing {
namespace {

class PlaceTest : public MemoryTest {};

class OneCardTest : public MemoryTest {
 protected:
  OneCardTest() { tenant_.limits().card_count = 1; }
};

CUdeviceptr Allocate(Tenant& tenant, uint64_t bytes) {
  CUdeviceptr pointer = 0;
  EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, bytes), CUDA_SUCCESS);
  return pointer;
}

TEST_F(PlaceTest, WithoutALimitTooEachCardIsChargedForItsOwn) {
  tenant_.SetLimit(0, abi::kNoLimit);
  tenant_.SetLimit(1, abi::kNoLimit);
  InTenant([](Tenant& tenant) {
    CUcontext second = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&second, 1), CUDA_SUCCESS);
    const uint64_t before[2] = {tenant.Charged(0), tenant.Charged(1)};
    ASSERT_EQ(CALL(tenant.cuda, cuCtxPushCurrent_v2)(second), CUDA_SUCCESS);
    Allocate(tenant, 3);
    EXPECT_EQ(tenant.Charged(0), before[0]);
    EXPECT_EQ(tenant.Charged(1), before[1] + 3);
    CUcontext popped = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxPopCurrent_v2)(&popped), CUDA_SUCCESS);
    const CUdeviceptr first = Allocate(tenant, 5);
    EXPECT_EQ(tenant.Charged(0), before[0] + 5);
    EXPECT_EQ(tenant.Charged(1), before[1] + 3);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(first), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRelease_v2)(1), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(0), before[0]);
    EXPECT_EQ(tenant.Charged(1), 0u);
  });
}

TEST_F(OneCardTest, AContextThatEndsTakesItsOwnMemoryWithIt) {
  InTenant([](Tenant& tenant) {
    const CUdeviceptr kept = Allocate(tenant, 2 * kMiB);
    const uint64_t before = tenant.Charged();
    CUcontext context = nullptr;
    ASSERT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 0), CUDA_SUCCESS);
    for (int i = 0; i < 100; ++i) Allocate(tenant, kMiB + i);
    CUdeviceptr managed = 0;
    ASSERT_EQ(CALL(tenant.cuda, cuMemAllocManaged)(&managed, kMiB, 1), CUDA_SUCCESS);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
    ASSERT_EQ(CALL(tenant.cuda, cuCtxDestroy_v2)(context), CUDA_SUCCESS);
    ASSERT_EQ(CALL(tenant.cuda, cuCtxSetCurrent)(tenant.context), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), before);
    EXPECT_EQ(tenant.OnCard(), before);
    EXPECT_EQ(CALL(tenant.cuda, cuMemFree_v2)(kept), CUDA_SUCCESS);
    EXPECT_EQ(tenant.OnCard(), tenant.Charged());
  });
}

TEST_F(OneCardTest, AResetGivesBackAllThatWasLeft) {
  InTenant([](Tenant& tenant) {
    for (int i = 0; i < 100; ++i) Allocate(tenant, kMiB);
    ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
    EXPECT_EQ(tenant.Charged(), 0u);
    tenant.MakeContext();
  });
}

TEST_F(OneCardTest, AThreadWithoutAContextIsChargedNothing) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    std::thread([&] {
      CUdeviceptr pointer = 0;
      EXPECT_EQ(CALL(tenant.cuda, cuMemAlloc_v2)(&pointer, kMiB), CUDA_ERROR_INVALID_CONTEXT);
    }).join();
    EXPECT_EQ(tenant.Charged(), before);
  });
}

// What the tenant's process may take of the second card, which it may not.
void ExpectNothingOnSecondCard(Tenant& tenant, CUresult refusal) {
  CUcontext context = nullptr;
  CUmemGenericAllocationHandle handle = 0;
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
  EXPECT_EQ(CALL(tenant.cuda, cuCtxCreate_v2)(&context, 0, 1), refusal);
  EXPECT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxRetain)(&context, 1), refusal);
  EXPECT_EQ(CALL(tenant.cuda, cuMemCreate)(&handle, 2 * kMiB, &properties, 0), refusal);
  EXPECT_EQ(CALL(tenant.cuda, cuCtxGetCurrent)(&context), CUDA_SUCCESS);
  EXPECT_EQ(context, tenant.context);
}

TEST_F(OneCardTest, ACardThatIsNotSeenIsNoDevice) {
  InTenant([](Tenant& tenant) { ExpectNothingOnSecondCard(tenant, CUDA_ERROR_INVALID_DEVICE); });
}

TEST_F(PlaceTest, ACardThatIsSeenAndWasNotGrantedHasNoMemory) {
  InTenant([](Tenant& tenant) {
    tenant.dir.limits().card_count = 1;
    ExpectNothingOnSecondCard(tenant, CUDA_ERROR_OUT_OF_MEMORY);
  });
}

}  // namespace
}  // namespace warpshare::testing

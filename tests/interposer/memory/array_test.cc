// Arrays and mipmapped arrays: charged what the driver would map behind one without memory.
#include "memory/tenant_process.h"
#include "simgpu/cuda/array/api.h"
#include "simgpu/cuda/context/api.h"

namespace warpshare::testing {
namespace {

class ArrayTest : public MemoryTest {};

constexpr uint64_t kStep = 64 << 10;  // in which the simulated card gives memory to arrays
constexpr uint64_t InSteps(uint64_t bytes) { return (bytes + kStep - 1) / kStep * kStep; }

TEST_F(ArrayTest, AFlatArrayIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUarray array = nullptr;
    const CUDA_ARRAY_DESCRIPTOR shape{1000, 777, CU_AD_FORMAT_FLOAT, 4};
    ExpectExactToTheByte(
        tenant,
        {[&] { return CALL(tenant.cuda, cuArrayCreate_v2)(&array, &shape); },
         [&] { return CALL(tenant.cuda, cuArrayDestroy)(array); }, InSteps(1000 * 777 * 16)});
  });
}

TEST_F(ArrayTest, AFlatArrayOfTheFirstVersionIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUarray array = nullptr;
    const CUDA_ARRAY_DESCRIPTOR_v1 shape{1000, 777, CU_AD_FORMAT_HALF, 2};
    ExpectExactToTheByte(tenant, {[&] { return CALL(tenant.cuda, cuArrayCreate)(&array, &shape); },
                                  [&] { return CALL(tenant.cuda, cuArrayDestroy)(array); },
                                  InSteps(1000 * 777 * 4)});
  });
}

TEST_F(ArrayTest, AVolumeIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUarray array = nullptr;
    const CUDA_ARRAY3D_DESCRIPTOR shape{100, 90, 80, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};
    ExpectExactToTheByte(
        tenant,
        {[&] { return CALL(tenant.cuda, cuArray3DCreate_v2)(&array, &shape); },
         [&] { return CALL(tenant.cuda, cuArrayDestroy)(array); }, InSteps(100 * 90 * 80 * 4)});
  });
}

TEST_F(ArrayTest, AMipmappedArrayIsExactToTheByte) {
  InTenant([](Tenant& tenant) {
    CUmipmappedArray array = nullptr;
    const CUDA_ARRAY3D_DESCRIPTOR shape{1024, 1024, 0, CU_AD_FORMAT_FLOAT, 1, 0};
    const auto make = [&] { return CALL(tenant.cuda, cuMipmappedArrayCreate)(&array, &shape, 3); };
    ExpectExactToTheByte(tenant,
                         {make, [&] { return CALL(tenant.cuda, cuMipmappedArrayDestroy)(array); },
                          InSteps(4 * (1024 * 1024 + 512 * 512 + 256 * 256))});
  });
}

TEST_F(ArrayTest, AnArrayThatTheProgramMapsCostsNothing) {
  InTenant([](Tenant& tenant) {
    const Ballast ballast(tenant, 0);
    CUarray array = nullptr;
    const CUDA_ARRAY3D_DESCRIPTOR shape{
        1024, 1024, 0, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_DEFERRED_MAPPING};
    EXPECT_EQ(CALL(tenant.cuda, cuArray3DCreate_v2)(&array, &shape), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuArrayDestroy)(array), CUDA_SUCCESS);
  });
}

TEST_F(ArrayTest, BadArgumentsGetTheDriversErrorAndCostNothing) {
  InTenant([](Tenant& tenant) {
    CUarray array = nullptr;
    const uint64_t before = tenant.Charged();
    const CUDA_ARRAY_DESCRIPTOR empty{0, 1, CU_AD_FORMAT_FLOAT, 1};
    const CUDA_ARRAY_DESCRIPTOR odd{16, 16, CU_AD_FORMAT_FLOAT, 3};
    EXPECT_EQ(CALL(tenant.cuda, cuArrayCreate_v2)(&array, &empty), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuArrayCreate_v2)(&array, &odd), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuArrayCreate_v2)(nullptr, &odd), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(CALL(tenant.cuda, cuArrayCreate_v2)(&array, nullptr), CUDA_ERROR_INVALID_VALUE);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

TEST_F(ArrayTest, DestroyingTwiceGivesBackOnce) {
  InTenant([](Tenant& tenant) {
    const uint64_t before = tenant.Charged();
    CUarray array = nullptr;
    const CUDA_ARRAY_DESCRIPTOR shape{512, 512, CU_AD_FORMAT_FLOAT, 1};
    ASSERT_EQ(CALL(tenant.cuda, cuArrayCreate_v2)(&array, &shape), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuArrayDestroy)(array), CUDA_SUCCESS);
    EXPECT_EQ(CALL(tenant.cuda, cuArrayDestroy)(array), CUDA_ERROR_INVALID_HANDLE);
    EXPECT_EQ(tenant.Charged(), before);
  });
}

}  // namespace
}  // namespace warpshare::testing

#include <gtest/gtest.h>

#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

class GreenContextTest : public simgpu::testing::ContextTest {
 protected:
  static CUdevResource All() {
    CUdevResource resource{};
    EXPECT_EQ(cuDeviceGetDevResource(0, &resource, CU_DEV_RESOURCE_TYPE_SM), CUDA_SUCCESS);
    return resource;
  }

  static CUgreenCtx Create(CUdevResource resource) {
    CUdevResourceDesc desc = nullptr;
    EXPECT_EQ(cuDevResourceGenerateDesc(&desc, &resource, 1), CUDA_SUCCESS);
    CUgreenCtx green = nullptr;
    EXPECT_EQ(cuGreenCtxCreate(&green, desc, 0, CU_GREEN_CTX_DEFAULT_STREAM), CUDA_SUCCESS);
    return green;
  }
};

TEST_F(GreenContextTest, SplitsTheMultiprocessorsIntoEqualGroups) {
  const CUdevResource all = All();
  EXPECT_EQ(all.sm.smCount, 108u);
  unsigned groups = 0;
  ASSERT_EQ(cuDevSmResourceSplitByCount(nullptr, &groups, &all, nullptr, 0, 20), CUDA_SUCCESS);
  EXPECT_EQ(groups, 5u);
  CUdevResource parts[2];
  CUdevResource rest{};
  groups = 2;
  ASSERT_EQ(cuDevSmResourceSplitByCount(parts, &groups, &all, &rest, 0, 20), CUDA_SUCCESS);
  EXPECT_EQ(groups, 2u);
  EXPECT_EQ(parts[1].sm.smCount, 20u);
  EXPECT_EQ(rest.sm.smCount, 68u);
}

TEST_F(GreenContextTest, RefusesResourcesTheDriverDidNotMake) {
  CUdevResource made_up{};
  made_up.type = CU_DEV_RESOURCE_TYPE_SM;
  made_up.sm.smCount = 8;
  CUdevResourceDesc desc = nullptr;
  EXPECT_EQ(cuDevResourceGenerateDesc(&desc, &made_up, 1), CUDA_ERROR_INVALID_RESOURCE_TYPE);
}

TEST_F(GreenContextTest, RunsKernelsOfThePrimaryContext) {
  const CUgreenCtx green = Create(All());
  CUstream stream = nullptr;
  ASSERT_EQ(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0), CUDA_SUCCESS);
  CUgreenCtx found = nullptr;
  EXPECT_EQ(cuStreamGetGreenCtx(stream, &found), CUDA_SUCCESS);
  EXPECT_EQ(found, green);
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  ASSERT_EQ(cuModuleLoadData(&module, "image"), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&function, module, "spin_1us"), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(cuGreenCtxDestroy(green), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(GreenContextTest, TellsItselfAndThePrimaryContextOfAStream) {
  const CUgreenCtx green = Create(All());
  CUcontext primary = nullptr;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&primary, 0), CUDA_SUCCESS);
  CUstream stream = nullptr;
  ASSERT_EQ(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0), CUDA_SUCCESS);
  CUcontext context = nullptr;
  CUgreenCtx found = nullptr;
  EXPECT_EQ(cuStreamGetCtx_v2(stream, &context, &found), CUDA_SUCCESS);
  EXPECT_EQ(context, primary);
  EXPECT_EQ(found, green);
  CUcontext as_context = nullptr;
  ASSERT_EQ(cuCtxFromGreenCtx(&as_context, green), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamGetCtx(stream, &context), CUDA_SUCCESS);
  EXPECT_EQ(context, as_context) << "the old call knows one context";
  EXPECT_EQ(cuGreenCtxDestroy(green), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
}

TEST_F(GreenContextTest, CostsNoMemoryBesideThePrimaryContexts) {
  const size_t free = Free();
  const CUgreenCtx green = Create(All());
  EXPECT_EQ(Free(), free);
  EXPECT_EQ(cuGreenCtxDestroy(green), CUDA_SUCCESS);
}

}  // namespace

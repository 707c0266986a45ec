#include <gtest/gtest.h>

#include <future>

#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"

namespace {

class LaunchTest : public simgpu::testing::ContextTest {
 protected:
  void SetUp() override {
    ContextTest::SetUp();
    ASSERT_EQ(cuModuleLoadData(&module_, "image"), CUDA_SUCCESS);
    ASSERT_EQ(cuModuleGetFunction(&function_, module_, "spin_1us"), CUDA_SUCCESS);
  }

  CUresult Launch(unsigned grid_x, unsigned grid_y, unsigned block_x, unsigned block_y,
                  unsigned shared = 0) {
    return cuLaunchKernel(function_, grid_x, grid_y, 1, block_x, block_y, 1, shared, nullptr,
                          nullptr, nullptr);
  }

  CUmodule module_ = nullptr;
  CUfunction function_ = nullptr;
};

TEST_F(LaunchTest, ChecksItsShape) {
  EXPECT_EQ(Launch(1, 1, 1, 1), CUDA_SUCCESS);
  EXPECT_EQ(Launch(0, 1, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Launch(1, 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Launch(1, 1, 1024, 1), CUDA_SUCCESS);
  EXPECT_EQ(Launch(1, 1, 1025, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Launch(1, 1, 512, 4), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(Launch(1, 65536, 1, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(LaunchTest, TakesMoreSharedMemoryOnlyWhenAllowed) {
  EXPECT_EQ(Launch(1, 1, 32, 1, 48 * 1024), CUDA_SUCCESS);
  EXPECT_EQ(Launch(1, 1, 32, 1, 64 * 1024), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(
      cuFuncSetAttribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 64 * 1024),
      CUDA_SUCCESS);
  EXPECT_EQ(Launch(1, 1, 32, 1, 64 * 1024), CUDA_SUCCESS);
}

TEST_F(LaunchTest, OfAKernelThatFaultsFailsTheContextUntilItIsReset) {
  CUfunction fault = nullptr;
  CUstream stream = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&fault, module_, "fill_illegal_address"), CUDA_SUCCESS);
  // Held back until all is enqueued.
  std::promise<void> gate;
  std::future<void> opened = gate.get_future();
  bool was_called = false;
  ASSERT_EQ(
      cuLaunchHostFunc(
          stream, [](void* opened) { static_cast<std::future<void>*>(opened)->wait(); }, &opened),
      CUDA_SUCCESS);
  ASSERT_EQ(cuLaunchKernel(fault, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuLaunchHostFunc(
                stream, [](void* called) { *static_cast<bool*>(called) = true; }, &was_called),
            CUDA_SUCCESS);
  gate.set_value();
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_FALSE(was_called);
  EXPECT_EQ(cuStreamQuery(stream), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(Launch(1, 1, 1, 1), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  ASSERT_EQ(cuDevicePrimaryCtxReset_v2(0), CUDA_SUCCESS);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context_, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(LaunchTest, RefusesWhatIsNoKernel) {
  EXPECT_EQ(cuLaunchKernel(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  void* arguments[1] = {nullptr};
  EXPECT_EQ(cuLaunchKernel(function_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, arguments),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuLaunchKernelEx(nullptr, function_, nullptr, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(LaunchTest, OfAKernelHandleRunsItInTheCurrentContext) {
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  ASSERT_EQ(cuLibraryLoadData(&library, "image", nullptr, nullptr, 0, nullptr, nullptr, 0),
            CUDA_SUCCESS);
  ASSERT_EQ(cuLibraryGetKernel(&kernel, library, "spin_1us"), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr,
                           nullptr, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(cuLibraryUnload(library), CUDA_SUCCESS);
}

TEST_F(LaunchTest, InAStreamOfAnotherContextIsRefused) {
  CUcontext other = nullptr;
  CUstream stream = nullptr;
  ASSERT_EQ(cuCtxCreate_v2(&other, 0, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchKernel(function_, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  ASSERT_EQ(cuCtxDestroy_v2(other), CUDA_SUCCESS);
}

TEST_F(LaunchTest, CooperativeGridsMustFitAtOnce) {
  EXPECT_EQ(cuLaunchCooperativeKernel(function_, 108, 1, 1, 1024, 1, 1, 0, nullptr, nullptr),
            CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchCooperativeKernel(function_, 108 * 3, 1, 1, 1024, 1, 1, 0, nullptr, nullptr),
            CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
}

TEST_F(LaunchTest, ClustersNeedANewerCard) {
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {2, 1, 1};
  CUlaunchConfig config{};
  config.gridDimX = 4;
  config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXPECT_EQ(cuLaunchKernelEx(&config, function_, nullptr, nullptr),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
  attribute.value.clusterDim = {1, 1, 1};
  EXPECT_EQ(cuLaunchKernelEx(&config, function_, nullptr, nullptr), CUDA_SUCCESS);
}

TEST_F(LaunchTest, RecordsTheEventItIsGiven) {
  CUstream stream = nullptr;
  CUevent event = nullptr;
  CUfunction slow = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&slow, module_, "spin_20ms"), CUDA_SUCCESS);
  CUlaunchAttribute attribute{};
  attribute.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT;
  attribute.value.launchCompletionEvent.event = event;
  CUlaunchConfig config{1, 1, 1, 1, 1, 1, 0, stream, &attribute, 1};
  ASSERT_EQ(cuLaunchKernelEx(&config, slow, nullptr, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(cuEventSynchronize(event), CUDA_SUCCESS);
}

TEST_F(LaunchTest, LastsAsLongAsItsFirstArgumentSays) {
  CUfunction spin = nullptr;
  ASSERT_EQ(cuModuleGetFunction(&spin, module_, "spin_arg0us"), CUDA_SUCCESS);
  uint64_t us = 2'000;
  void* arguments[] = {&us};
  size_t size = sizeof(us);
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_BUFFER_POINTER, &us,
                    CU_LAUNCH_PARAM_END};
  CUevent events[3] = {};
  for (CUevent& event : events) ASSERT_EQ(cuEventCreate(&event, CU_EVENT_DEFAULT), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(events[0], nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(events[1], nullptr), CUDA_SUCCESS);
  us = 3'000;
  ASSERT_EQ(cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, packed), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(events[2], nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuEventSynchronize(events[2]), CUDA_SUCCESS);
  float first_ms = 0;
  float second_ms = 0;
  ASSERT_EQ(cuEventElapsedTime(&first_ms, events[0], events[1]), CUDA_SUCCESS);
  ASSERT_EQ(cuEventElapsedTime(&second_ms, events[1], events[2]), CUDA_SUCCESS);
  EXPECT_NEAR(first_ms, 2.0f, 0.3f);
  EXPECT_NEAR(second_ms, 3.0f, 0.3f);
}

TEST_F(LaunchTest, WorksAsCuda2HadIt) {
  EXPECT_EQ(cuFuncSetBlockShape(function_, 0, 1, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuFuncSetBlockShape(function_, 64, 2, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuParamSeti(function_, 0, 7), CUDA_SUCCESS);
  EXPECT_EQ(cuParamSetSize(function_, 4), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunchGrid(function_, 3, 3), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunch(function_), CUDA_SUCCESS);
  EXPECT_EQ(cuFuncSetBlockShape(function_, 1024, 2, 1), CUDA_SUCCESS);
  EXPECT_EQ(cuLaunch(function_), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(LaunchTest, OccupancyFollowsThreadsAndSharedMemory) {
  int blocks = 0;
  ASSERT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 256, 0), CUDA_SUCCESS);
  EXPECT_EQ(blocks, 8);
  ASSERT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 1, 0), CUDA_SUCCESS);
  EXPECT_EQ(blocks, 32);
  ASSERT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 32, 80 * 1024),
            CUDA_SUCCESS);
  EXPECT_EQ(blocks, 2);
  int grid = 0;
  int block = 0;
  ASSERT_EQ(cuOccupancyMaxPotentialBlockSize(&grid, &block, function_, nullptr, 0, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(block, 1024);
  EXPECT_EQ(grid, 216);
  size_t bytes = 0;
  ASSERT_EQ(cuOccupancyAvailableDynamicSMemPerBlock(&bytes, function_, 2, 256), CUDA_SUCCESS);
  EXPECT_EQ(bytes, 82944u);
  EXPECT_EQ(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function_, 0, 0),
            CUDA_ERROR_INVALID_VALUE);
}

}  // namespace

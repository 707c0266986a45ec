#include <gtest/gtest.h>

#include <thread>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/world_fixture.h"

namespace {

constexpr size_t kContextBytes = size_t{300} << 20;

class ContextsTest : public simgpu::testing::WorldTest {
 protected:
  void SetUp() override { ASSERT_EQ(cuInit(0), CUDA_SUCCESS); }
  void TearDown() override {
    CUcontext left = nullptr;
    while (cuCtxPopCurrent_v2(&left) == CUDA_SUCCESS) cuCtxDestroy_v2(left);
    EXPECT_EQ(cuDevicePrimaryCtxReset_v2(0), CUDA_SUCCESS);
  }

  static CUcontext Create(CUdevice device = 0) {
    CUcontext context = nullptr;
    EXPECT_EQ(cuCtxCreate_v2(&context, 0, device), CUDA_SUCCESS);
    return context;
  }

  static CUcontext Current() {
    CUcontext context = nullptr;
    EXPECT_EQ(cuCtxGetCurrent(&context), CUDA_SUCCESS);
    return context;
  }

  static size_t Free() {
    size_t free = 0;
    EXPECT_EQ(cuMemGetInfo_v2(&free, nullptr), CUDA_SUCCESS);
    return free;
  }
};

TEST_F(ContextsTest, CreatingOneMakesItCurrentAndCostsCardMemory) {
  const CUcontext first = Create();
  EXPECT_EQ(Current(), first);
  const size_t free = Free();
  const CUcontext second = Create();
  EXPECT_EQ(Current(), second);
  EXPECT_EQ(Free(), free - kContextBytes);
  EXPECT_EQ(cuCtxDestroy_v2(second), CUDA_SUCCESS);
  EXPECT_EQ(Current(), first);
  EXPECT_EQ(Free(), free);
  EXPECT_EQ(cuCtxDestroy_v2(first), CUDA_SUCCESS);
  EXPECT_EQ(Current(), nullptr);
}

TEST_F(ContextsTest, AnotherThreadsDestroyedContextSaysSo) {
  const CUcontext context = Create();
  std::thread([context] { EXPECT_EQ(cuCtxDestroy_v2(context), CUDA_SUCCESS); }).join();
  EXPECT_EQ(Current(), context);
  CUstream stream = nullptr;
  EXPECT_EQ(cuStreamCreate(&stream, 0), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  EXPECT_EQ(cuCtxDestroy_v2(context), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(ContextsTest, WithNoneCurrentThereIsNothingToWorkIn) {
  CUstream stream = nullptr;
  CUdevice device = 0;
  EXPECT_EQ(cuStreamCreate(&stream, 0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxPopCurrent_v2(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
}

TEST_F(ContextsTest, BadArgumentsAreRefused) {
  CUcontext context = nullptr;
  EXPECT_EQ(cuCtxCreate_v2(&context, 3, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxCreate_v2(&context, 0x100, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxCreate_v2(&context, 0, 9), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuCtxSetCurrent(reinterpret_cast<CUcontext>(0x1234)), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxPushCurrent_v2(nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(ContextsTest, StacksArePerThread) {
  const CUcontext context = Create();
  std::thread([context] {
    EXPECT_EQ(Current(), nullptr);
    EXPECT_EQ(cuCtxPushCurrent_v2(context), CUDA_SUCCESS);
    EXPECT_EQ(Current(), context);
  }).join();
  EXPECT_EQ(cuCtxDestroy_v2(context), CUDA_SUCCESS);
}

TEST_F(ContextsTest, ThePrimaryOneIsSharedAndCounted) {
  CUcontext first = nullptr;
  CUcontext second = nullptr;
  unsigned flags = 1;
  int active = 1;
  EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 0);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&second, 0), CUDA_SUCCESS);
  EXPECT_EQ(first, second);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
  EXPECT_EQ(active, 1);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  EXPECT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxDestroy_v2(first), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(ContextsTest, ThePrimaryOneCanBeMadeCurrentBeforeItIsRetained) {
  CUcontext context = nullptr;
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuDevicePrimaryCtxRelease_v2(0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxSetCurrent(context), CUDA_SUCCESS);
  CUdevice device = -1;
  EXPECT_EQ(cuCtxGetDevice(&device), CUDA_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_ERROR_CONTEXT_IS_DESTROYED);
  ASSERT_EQ(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(ContextsTest, TakesWithItWhatLivesInIt) {
  const CUcontext context = Create();
  CUstream stream = nullptr;
  CUevent event = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuCtxDestroy_v2(context), CUDA_SUCCESS);
  EXPECT_EQ(cuStreamSynchronize(stream), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(cuEventQuery(event), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(ContextsTest, IsRefusedWhenTheCardIsFull) {
  Create();
  size_t free = Free();
  CUdeviceptr filler = 0;
  ASSERT_EQ(cuMemAlloc_v2(&filler, free - kContextBytes + 1), CUDA_SUCCESS);
  free = Free();
  CUcontext context = nullptr;
  EXPECT_EQ(cuCtxCreate_v2(&context, 0, 0), CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(Free(), free);
  EXPECT_EQ(cuMemFree_v2(filler), CUDA_SUCCESS);
}

TEST_F(ContextsTest, PeersAreEnabledOnce) {
  const CUcontext other = Create(1);
  Create(0);
  EXPECT_EQ(cuCtxEnablePeerAccess(other, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxDisablePeerAccess(other), CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
  EXPECT_EQ(cuCtxEnablePeerAccess(other, 0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxEnablePeerAccess(other, 0), CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
  EXPECT_EQ(cuCtxEnablePeerAccess(Current(), 0), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(cuCtxDisablePeerAccess(other), CUDA_SUCCESS);
}

TEST_F(ContextsTest, LimitsAndFlagsAreKept) {
  Create();
  size_t value = 0;
  EXPECT_EQ(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE), CUDA_SUCCESS);
  EXPECT_EQ(value, 1024u);
  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetLimit(&value, CU_LIMIT_STACK_SIZE), CUDA_SUCCESS);
  EXPECT_EQ(value, 4096u);
  EXPECT_EQ(cuCtxSetLimit(CU_LIMIT_MAX, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuCtxGetLimit(&value, CU_LIMIT_CIG_ENABLED), CUDA_ERROR_UNSUPPORTED_LIMIT);
  unsigned flags = 0;
  EXPECT_EQ(cuCtxSetFlags(CU_CTX_SCHED_SPIN), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxGetFlags(&flags), CUDA_SUCCESS);
  EXPECT_EQ(flags, static_cast<unsigned>(CU_CTX_SCHED_SPIN));
}

TEST_F(ContextsTest, EachDetachEndsOneAttach) {
  const CUcontext context = Create();
  CUcontext attached = nullptr;
  ASSERT_EQ(cuCtxAttach(&attached, 0), CUDA_SUCCESS);
  EXPECT_EQ(attached, context);
  EXPECT_EQ(cuCtxDetach(context), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxSynchronize(), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxDetach(context), CUDA_SUCCESS);
  EXPECT_EQ(Current(), nullptr);
}

}  // namespace

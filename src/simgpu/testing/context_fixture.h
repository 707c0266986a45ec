// For tests that need a current context: the primary context of device 0, fresh for each test, so
// that whatever a test leaves behind is given back. Header only: it calls the driver's functions.
#pragma once

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/testing/world_fixture.h"

namespace simgpu::testing {

class ContextTest : public WorldTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(cuDevicePrimaryCtxRetain(&context_, 0), CUDA_SUCCESS);
    ASSERT_EQ(cuCtxSetCurrent(context_), CUDA_SUCCESS);
  }

  void TearDown() override {
    EXPECT_EQ(cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
    EXPECT_EQ(cuDevicePrimaryCtxReset_v2(0), CUDA_SUCCESS);
  }

  // Bytes free on the current context's card.
  static size_t Free() {
    size_t free = 0;
    EXPECT_EQ(cuMemGetInfo_v2(&free, nullptr), CUDA_SUCCESS);
    return free;
  }

  CUcontext context_ = nullptr;
};

}  // namespace simgpu::testing

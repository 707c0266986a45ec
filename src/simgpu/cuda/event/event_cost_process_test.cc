// Events on a card where they take time; of its own process, as a world has one scenario.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/module/api.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/testing/context_fixture.h"
#include "simgpu/testing/stream_gate.h"

namespace {

class EventCostTest : public simgpu::testing::ContextTest {
 protected:
  static void SetUpTestSuite() {
    std::string folder = std::filesystem::temp_directory_path() / "simgpu-event-cost-XXXXXX";
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    Folder() = folder;
    std::ofstream(folder + "/scenario") << "event_cost = 300us\n";
    simgpu::testing::UseWorld({.scenario = folder + "/scenario"});
  }
  static void TearDownTestSuite() { std::filesystem::remove_all(Folder()); }

  static std::string& Folder() {
    static std::string folder;
    return folder;
  }
  static float MsBetween(CUevent first, CUevent second) {
    float ms = -1;
    EXPECT_EQ(cuEventElapsedTime(&ms, first, second), CUDA_SUCCESS);
    return ms;
  }
};

TEST_F(EventCostTest, WhatFollowsAnEventInItsStreamBeginsLater) {
  CUstream stream = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  ASSERT_EQ(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleLoadData(&module, "image"), CUDA_SUCCESS);
  ASSERT_EQ(cuModuleGetFunction(&kernel, module, "spin_2ms"), CUDA_SUCCESS);
  CUevent events[3] = {};
  for (CUevent& event : events) ASSERT_EQ(cuEventCreate(&event, 0), CUDA_SUCCESS);
  simgpu::testing::StreamGate gate(stream);
  ASSERT_EQ(cuEventRecord(events[0], stream), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(events[1], stream), CUDA_SUCCESS);
  ASSERT_EQ(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, stream, nullptr, nullptr), CUDA_SUCCESS);
  ASSERT_EQ(cuEventRecord(events[2], stream), CUDA_SUCCESS);
  gate.Open();
  ASSERT_EQ(cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_FLOAT_EQ(MsBetween(events[0], events[1]), 0.3F);
  EXPECT_NEAR(MsBetween(events[1], events[2]), 2.3, 0.02);
}

}  // namespace

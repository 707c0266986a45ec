// An initialised NVML over a world of the test's own, and a program in that world to look at.
#pragma once

#include <gtest/gtest.h>

#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/session/api.h"
#include "simgpu/testing/world_fixture.h"
#include "simgpu/world/world.h"

namespace simgpu::nvml {

class NvmlTest : public testing::WorldTest {
 protected:
  void SetUp() override { ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS); }
  void TearDown() override { EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS); }

  static nvmlDevice_t Device(unsigned index) {
    nvmlDevice_t device = nullptr;
    EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(index, &device), NVML_SUCCESS);
    return device;
  }

  // This process as a user of the cards, by its own attachment to the world.
  static world::World& Program() { return world::World::Instance(); }
};

}  // namespace simgpu::nvml

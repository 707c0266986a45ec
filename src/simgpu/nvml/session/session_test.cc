#include "simgpu/nvml/session/session.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <future>

#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/load/api.h"
#include "simgpu/nvml/session/api.h"
#include "simgpu/nvml/system/api.h"
#include "simgpu/testing/world_fixture.h"

extern "C" nvmlReturn_t nvmlDeviceGetHostVgpuMode();  // left to the stubs

namespace simgpu::nvml {
namespace {

using SessionTest = testing::WorldTest;

TEST_F(SessionTest, NothingWorksBeforeInitAndAfterTheLastShutdown) {
  unsigned count = 77;
  EXPECT_EQ(nvmlDeviceGetCount_v2(&count), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(nvmlShutdown(), NVML_ERROR_UNINITIALIZED);
  EXPECT_EQ(nvmlDeviceGetHostVgpuMode(), NVML_ERROR_UNINITIALIZED);
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  ASSERT_EQ(nvmlInitWithFlags(NVML_INIT_FLAG_NO_ATTACH), NVML_SUCCESS);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCount_v2(&count), NVML_SUCCESS);
  EXPECT_EQ(count, 2u);
  EXPECT_EQ(nvmlDeviceGetHostVgpuMode(), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetCount_v2(&count), NVML_ERROR_UNINITIALIZED);
}

TEST_F(SessionTest, ErrorTextsNeedNoInit) {
  EXPECT_STREQ(nvmlErrorString(NVML_ERROR_NOT_SUPPORTED), "Not Supported");
  EXPECT_STREQ(nvmlErrorString(static_cast<nvmlReturn_t>(4711)), "Unknown Error");
}

TEST_F(SessionTest, AForkedChildGoesOnAsInitialised) {
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  const int status = testing::RunInChild([] {
    unsigned count = 0;
    nvmlDevice_t device = nullptr;
    nvmlUtilization_t use{};
    EXPECT_EQ(nvmlDeviceGetCount_v2(&count), NVML_SUCCESS);
    EXPECT_EQ(count, 2u);
    EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(1, &device), NVML_SUCCESS);
    EXPECT_EQ(nvmlDeviceGetUtilizationRates(device, &use), NVML_SUCCESS);
    EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
}

TEST_F(SessionTest, WhatIsNoHandleIsRefused) {
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  unsigned index = 0;
  int here = 0;
  EXPECT_EQ(nvmlDeviceGetIndex(nullptr, &index), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetIndex(reinterpret_cast<nvmlDevice_t>(&here), &index),
            NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetIndex(HandleOf(2), &index), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetIndex(HandleOf(1), nullptr), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
}

TEST_F(SessionTest, VersionsAreTheScenariosAndCuda13) {
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  char text[80];
  int cuda = 0;
  EXPECT_EQ(nvmlSystemGetDriverVersion(text, sizeof(text)), NVML_SUCCESS);
  EXPECT_STREQ(text, "580.65.06");
  EXPECT_EQ(nvmlSystemGetDriverVersion(text, 9), NVML_ERROR_INSUFFICIENT_SIZE);
  EXPECT_EQ(nvmlSystemGetNVMLVersion(text, sizeof(text)), NVML_SUCCESS);
  EXPECT_STREQ(text, "13.580.65.06");
  EXPECT_EQ(nvmlSystemGetCudaDriverVersion_v2(&cuda), NVML_SUCCESS);
  EXPECT_EQ(cuda, 13000);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
}

TEST_F(SessionTest, ProcessesHaveTheNamesTheyWereCalledBy) {
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  char name[256];
  EXPECT_EQ(nvmlSystemGetProcessName(static_cast<unsigned>(getpid()), name, sizeof(name)),
            NVML_SUCCESS);
  EXPECT_NE(std::string(name).find("session_test"), std::string::npos) << name;
  EXPECT_EQ(nvmlSystemGetProcessName(0x7FFF'FFFF, name, sizeof(name)), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
}

TEST_F(SessionTest, QuestionsAboutACardThatHangsComeBackOnceItDoesNoMore) {
  ASSERT_EQ(nvmlInit_v2(), NVML_SUCCESS);
  const std::string hang = world::World::Instance().directory() + "/hang0";
  std::ofstream(hang) << "";
  const auto ask = [](int card) {
    unsigned index = 77;
    EXPECT_EQ(nvmlDeviceGetIndex(HandleOf(card), &index), NVML_SUCCESS);
    return index;
  };
  auto hanging = std::async(std::launch::async, ask, 0);
  EXPECT_EQ(ask(1), 1u) << "the other card answers";
  EXPECT_EQ(hanging.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  std::filesystem::remove(hang);
  EXPECT_EQ(hanging.get(), 0u);
  EXPECT_EQ(nvmlShutdown(), NVML_SUCCESS);
}

}  // namespace
}  // namespace simgpu::nvml

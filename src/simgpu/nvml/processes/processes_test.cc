#include "simgpu/nvml/processes/api.h"

#include <unistd.h>

#include <vector>

#include "simgpu/nvml/load/api.h"
#include "simgpu/nvml/load/load.h"
#include "simgpu/nvml/processes/pids.h"
#include "simgpu/nvml/testing/nvml_fixture.h"

namespace simgpu::nvml {
namespace {

using world::EngineKind;
using world::MemoryKind;
using world::NowNs;

class ProcessesTest : public NvmlTest {
 protected:
  void SetUp() override {
    NvmlTest::SetUp();
    ASSERT_TRUE(Program().memory().Charge(1, MemoryKind::kContext, 300 << 20));
    ASSERT_TRUE(Program().memory().Charge(1, MemoryKind::kData, 4096));
  }
  void TearDown() override {
    Program().memory().Uncharge(1, MemoryKind::kContext, 300 << 20);
    Program().memory().Uncharge(1, MemoryKind::kData, 4096);
    NvmlTest::TearDown();
  }

  const unsigned self_ = static_cast<unsigned>(getpid());
};

TEST_F(ProcessesTest, AreListedOnTheCardTheyUse) {
  unsigned count = 0;
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(Device(0), &count, nullptr), NVML_SUCCESS);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(Device(1), &count, nullptr),
            NVML_ERROR_INSUFFICIENT_SIZE);
  ASSERT_EQ(count, 1u);
  nvmlProcessInfo_t info{};
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses_v3(Device(1), &count, &info), NVML_SUCCESS);
  EXPECT_EQ(info.pid, self_);
  EXPECT_EQ(info.usedGpuMemory, (300u << 20) + 4096);
  EXPECT_EQ(info.gpuInstanceId, 0xFFFFFFFFu);
}

TEST_F(ProcessesTest, EachVersionFillsItsOwnStruct) {
  std::vector<nvmlProcessInfo_v1_t> first(3, {0xAA, 0xAA});
  unsigned count = 3;
  EXPECT_EQ(nvmlDeviceGetComputeRunningProcesses(Device(1), &count, first.data()), NVML_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(first[0].pid, self_);
  EXPECT_EQ(first[1].pid, 0xAAu);
  nvmlProcessDetail_v1_t detail{};
  nvmlProcessDetailList_t list{.version = nvmlProcessDetailList_v1,
                               .mode = 0,
                               .numProcArrayEntries = 1,
                               .procArray = &detail};
  EXPECT_EQ(nvmlDeviceGetRunningProcessDetailList(Device(1), &list), NVML_SUCCESS);
  EXPECT_EQ(detail.pid, self_);
  list.mode = 3;
  EXPECT_EQ(nvmlDeviceGetRunningProcessDetailList(Device(1), &list), NVML_ERROR_INVALID_ARGUMENT);
  list.version = 1;
  EXPECT_EQ(nvmlDeviceGetRunningProcessDetailList(Device(1), &list),
            NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
}

TEST_F(ProcessesTest, NoneDrawsOrUsesMps) {
  unsigned count = 5;
  nvmlProcessInfo_t infos[5];
  EXPECT_EQ(nvmlDeviceGetGraphicsRunningProcesses_v3(Device(1), &count, infos), NVML_SUCCESS);
  EXPECT_EQ(count, 0u);
  count = 5;
  EXPECT_EQ(nvmlDeviceGetMPSComputeRunningProcesses_v3(Device(1), &count, infos), NVML_SUCCESS);
  EXPECT_EQ(count, 0u);
}

TEST_F(ProcessesTest, HaveTheShareOfTimeTheyHad) {
  unsigned count = 4;
  nvmlProcessUtilizationSample_t samples[4];
  EXPECT_EQ(nvmlDeviceGetProcessUtilization(Device(1), samples, &count, 0), NVML_ERROR_NOT_FOUND);
  // Reserved in the past, so that it counts at once: 300 ms of the last second.
  const uint64_t ago_ns = NowNs() - 400'000'000;
  const world::Interval interval =
      Program().engine().Reserve({.card = 1, .duration_ns = 300'000'000, .ready_ns = ago_ns});
  ASSERT_LT(interval.end_ns, NowNs());
  count = 4;
  ASSERT_EQ(nvmlDeviceGetProcessUtilization(Device(1), samples, &count, 0), NVML_SUCCESS);
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(samples[0].pid, self_);
  EXPECT_NEAR(samples[0].smUtil, 30, 6);
  EXPECT_EQ(samples[0].memUtil, 0u);
  EXPECT_NEAR(static_cast<double>(samples[0].timeStamp), NowUs(), 2e6);
  nvmlUtilization_t card{};
  EXPECT_EQ(nvmlDeviceGetUtilizationRates(Device(1), &card), NVML_SUCCESS);
  EXPECT_NEAR(card.gpu, 30, 6);
  unsigned milliwatts = 0;
  EXPECT_EQ(nvmlDeviceGetPowerUsage(Device(1), &milliwatts), NVML_SUCCESS);
  EXPECT_GT(milliwatts, 100'000u);
}

TEST_F(ProcessesTest, NewerSamplesThanTheLastSeenAreGiven) {
  const unsigned long long future_us = NowUs() + 60'000'000;
  unsigned count = 4;
  nvmlProcessUtilizationSample_t samples[4];
  EXPECT_EQ(nvmlDeviceGetProcessUtilization(Device(1), samples, &count, future_us),
            NVML_ERROR_NOT_FOUND);
  nvmlProcessesUtilizationInfo_t info{};
  EXPECT_EQ(nvmlDeviceGetProcessesUtilizationInfo(Device(1), &info),
            NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
}

TEST_F(ProcessesTest, OfAnotherPidNamespaceAreNotMistakenForOurs) {
  world::ProcessUse stranger;
  stranger.pid = getpid();
  stranger.pid_namespace = 1;  // no namespace has this inode
  EXPECT_EQ(VisiblePid(stranger), 0u);
  EXPECT_EQ(SampledPid(stranger, world::UtilizationPids::kContainer), 0u);
}

}  // namespace
}  // namespace simgpu::nvml

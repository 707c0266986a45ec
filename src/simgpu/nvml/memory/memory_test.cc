#include "simgpu/nvml/memory/api.h"
#include "simgpu/nvml/testing/nvml_fixture.h"

namespace simgpu::nvml {
namespace {

using world::kGiB;
using world::MemoryKind;
using MemoryTest = NvmlTest;

TEST_F(MemoryTest, IsWhatProgramsHoldToTheByte) {
  ASSERT_TRUE(Program().memory().Charge(0, MemoryKind::kData, 12345));
  nvmlMemory_t memory{};
  EXPECT_EQ(nvmlDeviceGetMemoryInfo(Device(0), &memory), NVML_SUCCESS);
  EXPECT_EQ(memory.total, 4 * kGiB);
  EXPECT_EQ(memory.used, 12345u);
  EXPECT_EQ(memory.free, 4 * kGiB - 12345);
  nvmlMemory_v2_t second{};
  second.version = nvmlMemory_v2;
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(Device(0), &second), NVML_SUCCESS);
  EXPECT_EQ(second.total, second.reserved + second.used + second.free);
  EXPECT_EQ(second.used, 12345u);
  Program().memory().Uncharge(0, MemoryKind::kData, 12345);
  EXPECT_EQ(nvmlDeviceGetMemoryInfo(Device(0), &memory), NVML_SUCCESS);
  EXPECT_EQ(memory.used, 0u);
}

TEST_F(MemoryTest, RefusesAnotherVersionOfTheStruct) {
  nvmlMemory_v2_t memory{};
  memory.version = sizeof(memory) | 3 << 24;
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(Device(0), &memory), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  EXPECT_EQ(nvmlDeviceGetMemoryInfo_v2(Device(0), nullptr), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(MemoryTest, HasNoErrorsInIt) {
  unsigned long long count = 7;
  EXPECT_EQ(nvmlDeviceGetTotalEccErrors(Device(1), NVML_MEMORY_ERROR_TYPE_UNCORRECTED,
                                        NVML_VOLATILE_ECC, &count),
            NVML_SUCCESS);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(nvmlDeviceGetTotalEccErrors(Device(1), NVML_MEMORY_ERROR_TYPE_COUNT, NVML_VOLATILE_ECC,
                                        &count),
            NVML_ERROR_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace simgpu::nvml

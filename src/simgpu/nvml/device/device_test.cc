#include <sched.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "simgpu/nvml/device/api.h"
#include "simgpu/nvml/device/numa.h"
#include "simgpu/nvml/testing/nvml_fixture.h"

namespace simgpu::nvml {
namespace {

using DeviceTest = NvmlTest;

TEST_F(DeviceTest, IsFoundByAllItsNames) {
  const nvmlDevice_t second = Device(1);
  char text[96];
  nvmlDevice_t found = nullptr;
  ASSERT_EQ(nvmlDeviceGetUUID(second, text, sizeof(text)), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleByUUID(text, &found), NVML_SUCCESS);
  EXPECT_EQ(found, second);
  found = nullptr;
  ASSERT_EQ(nvmlDeviceGetSerial(second, text, sizeof(text)), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleBySerial(text, &found), NVML_SUCCESS);
  EXPECT_EQ(found, second);
  nvmlPciInfo_t pci{};
  ASSERT_EQ(nvmlDeviceGetPciInfo_v3(second, &pci), NVML_SUCCESS);
  for (const char* bus_id : {pci.busId, pci.busIdLegacy}) {
    found = nullptr;
    EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2(bus_id, &found), NVML_SUCCESS) << bus_id;
    EXPECT_EQ(found, second);
  }
}

TEST_F(DeviceTest, IsFoundByItsUuidInBothForms) {
  const nvmlDevice_t first = Device(0);
  nvmlUUID_t uuid{.version = nvmlUUID_v1, .type = NVML_UUID_TYPE_ASCII, .value = {}};
  nvmlDevice_t found = nullptr;
  ASSERT_EQ(nvmlDeviceGetUUID(first, uuid.value.str, sizeof(uuid.value.str)), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&uuid, &found), NVML_SUCCESS);
  EXPECT_EQ(found, first);
  uuid.type = NVML_UUID_TYPE_BINARY;
  std::memcpy(uuid.value.bytes, Program().card(0).uuid.data(), sizeof(uuid.value.bytes));
  found = nullptr;
  EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&uuid, &found), NVML_SUCCESS);
  EXPECT_EQ(found, first);
  uuid.version = 7;
  EXPECT_EQ(nvmlDeviceGetHandleByUUIDV(&uuid, &found), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
}

TEST_F(DeviceTest, UnknownNamesAreNotFoundAndMalformedOnesInvalid) {
  nvmlDevice_t found = nullptr;
  EXPECT_EQ(nvmlDeviceGetHandleByIndex_v2(2, &found), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetHandleByUUID("GPU-00000000-0000-0000-0000-000000000000", &found),
            NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByUUID("GPU-1", &found), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2("00000000:EE:00.0", &found), NVML_ERROR_NOT_FOUND);
  EXPECT_EQ(nvmlDeviceGetHandleByPciBusId_v2("a card", &found), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetHandleBySerial("4711", &found), NVML_ERROR_NOT_FOUND);
}

TEST_F(DeviceTest, TextThatDoesNotFitIsNotGiven) {
  char name[96] = "untouched";
  EXPECT_EQ(nvmlDeviceGetName(Device(0), name, 4), NVML_ERROR_INSUFFICIENT_SIZE);
  EXPECT_STREQ(name, "untouched");
  EXPECT_EQ(nvmlDeviceGetName(Device(0), nullptr, 96), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetName(Device(0), name, sizeof(name)), NVML_SUCCESS);
  EXPECT_STREQ(name, "SimGPU-A100");
}

TEST_F(DeviceTest, OlderPciCallsLeaveTheEndOfTheStructAlone) {
  nvmlPciInfo_t pci;
  std::memset(&pci, 0x55, sizeof(pci));
  EXPECT_EQ(nvmlDeviceGetPciInfo(Device(0), &pci), NVML_SUCCESS);
  EXPECT_EQ(pci.pciSubSystemId, 0x55555555u);
  EXPECT_EQ(nvmlDeviceGetPciInfo_v2(Device(0), &pci), NVML_SUCCESS);
  EXPECT_NE(pci.pciSubSystemId, 0x55555555u);
  EXPECT_EQ(pci.busId[0], 0x55);
  EXPECT_EQ(nvmlDeviceGetPciInfo_v3(Device(0), &pci), NVML_SUCCESS);
  EXPECT_STREQ(pci.busId, "00000000:07:00.0");
  EXPECT_STREQ(pci.busIdLegacy, "0000:07:00.0");
  EXPECT_EQ(nvmlDeviceGetPciInfo_v3(Device(1), &pci), NVML_SUCCESS);
  EXPECT_STREQ(pci.busId, "00000000:0F:00.0");
}

TEST_F(DeviceTest, SettingsAreForRootAndHaveOneValue) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  EXPECT_EQ(nvmlDeviceSetComputeMode(Device(0), NVML_COMPUTEMODE_DEFAULT), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceSetComputeMode(Device(0), NVML_COMPUTEMODE_PROHIBITED),
            NVML_ERROR_NOT_SUPPORTED);
  ASSERT_EQ(seteuid(65534), 0);
  EXPECT_EQ(nvmlDeviceSetComputeMode(Device(0), NVML_COMPUTEMODE_DEFAULT),
            NVML_ERROR_NO_PERMISSION);
  EXPECT_EQ(nvmlDeviceSetPersistenceMode(Device(0), NVML_FEATURE_ENABLED),
            NVML_ERROR_NO_PERMISSION);
  ASSERT_EQ(seteuid(0), 0);
}

TEST_F(DeviceTest, AffinityNamesCpusOfThisMachine) {
  unsigned long cpus[CPU_SETSIZE / 64] = {};
  EXPECT_EQ(nvmlDeviceGetCpuAffinity(Device(0), CPU_SETSIZE / 64, cpus), NVML_SUCCESS);
  EXPECT_TRUE(cpus[0] & 1UL << CpusNear(Program().card(0).numa_node).at(0));
  EXPECT_EQ(nvmlDeviceGetCpuAffinity(Device(0), 0, cpus), NVML_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(nvmlDeviceGetCpuAffinityWithinScope(Device(0), 1, cpus, 9),
            NVML_ERROR_INVALID_ARGUMENT);
}

TEST(CpuList, IsReadAsTheKernelWritesIt) {
  EXPECT_EQ(ParseCpuList("0-2,8"), (std::vector<unsigned>{0, 1, 2, 8}));
  EXPECT_EQ(ParseCpuList("5"), (std::vector<unsigned>{5}));
  EXPECT_TRUE(ParseCpuList("").empty());
  EXPECT_TRUE(ParseCpuList("3-1").empty());
  EXPECT_TRUE(ParseCpuList("x").empty());
  EXPECT_TRUE(ParseCpuList("0-99999999999").empty());
}

}  // namespace
}  // namespace simgpu::nvml

#include <gtest/gtest.h>

#include <climits>
#include <cstring>
#include <string>

#include "simgpu/cuda/device/api.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/testing/world_fixture.h"

namespace {

class DeviceTest : public simgpu::testing::WorldTest {
 protected:
  void SetUp() override { ASSERT_EQ(cuInit(0), CUDA_SUCCESS); }
};

TEST_F(DeviceTest, AreCountedAndNamed) {
  int count = 0;
  ASSERT_EQ(cuDeviceGetCount(&count), CUDA_SUCCESS);
  EXPECT_EQ(count, 2);
  CUdevice device = -1;
  EXPECT_EQ(cuDeviceGet(&device, 1), CUDA_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cuDeviceGet(&device, 2), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  char name[64];
  ASSERT_EQ(cuDeviceGetName(name, sizeof(name), 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "SimGPU-A100");
  ASSERT_EQ(cuDeviceGetName(name, 4, 0), CUDA_SUCCESS);
  EXPECT_STREQ(name, "Sim");
  EXPECT_EQ(cuDeviceGetName(nullptr, 4, 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DeviceTest, AreFoundByTheirPciAddress) {
  char address[32];
  ASSERT_EQ(cuDeviceGetPCIBusId(address, sizeof(address), 1), CUDA_SUCCESS);
  CUdevice device = -1;
  ASSERT_EQ(cuDeviceGetByPCIBusId(&device, address), CUDA_SUCCESS);
  EXPECT_EQ(device, 1);
  EXPECT_EQ(cuDeviceGetByPCIBusId(&device, "nonsense"), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetByPCIBusId(&device, "ffff:ff:1f.0"), CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DeviceTest, HaveUuidsOfTheirOwn) {
  CUuuid first{};
  CUuuid second{};
  ASSERT_EQ(cuDeviceGetUuid_v2(&first, 0), CUDA_SUCCESS);
  ASSERT_EQ(cuDeviceGetUuid(&second, 1), CUDA_SUCCESS);
  EXPECT_NE(std::memcmp(&first, &second, sizeof(first)), 0);
}

TEST_F(DeviceTest, TellTheirMemoryInBothWidths) {
  size_t bytes = 0;
  ASSERT_EQ(cuDeviceTotalMem_v2(&bytes, 0), CUDA_SUCCESS);
  EXPECT_EQ(bytes, size_t{4} << 30);
  unsigned old_bytes = 0;
  ASSERT_EQ(cuDeviceTotalMem(&old_bytes, 0), CUDA_SUCCESS);
  EXPECT_EQ(old_bytes, UINT_MAX);
}

TEST_F(DeviceTest, AnswerEveryAttributeThereIs) {
  for (unsigned attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute) {
    int value = 0;
    EXPECT_EQ(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), 0),
              CUDA_SUCCESS)
        << attribute;
  }
  int value = 0;
  EXPECT_EQ(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(0), 0),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 5),
            CUDA_ERROR_INVALID_DEVICE);
}

TEST_F(DeviceTest, ReachEachOther) {
  int can = -1;
  ASSERT_EQ(cuDeviceCanAccessPeer(&can, 0, 1), CUDA_SUCCESS);
  EXPECT_EQ(can, 1);
  ASSERT_EQ(cuDeviceCanAccessPeer(&can, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(can, 0);
  int value = -1;
  EXPECT_EQ(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0),
            CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1),
            CUDA_SUCCESS);
  EXPECT_EQ(value, 1);
}

}  // namespace

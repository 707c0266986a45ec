#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "simgpu/nvml/field/api.h"
#include "simgpu/nvml/link/api.h"
#include "simgpu/nvml/testing/nvml_fixture.h"

namespace simgpu::nvml {
namespace {

// Three cards: 0 and 1 with two NVLinks, 1 and 2 behind one PCIe switch, 0 and 2 on far nodes.
class LinkTest : public NvmlTest {
 protected:
  static void SetUpTestSuite() {
    std::string path = "/tmp/simgpu-links-XXXXXX";
    close(mkstemp(path.data()));
    std::ofstream(path) << "cards = 3\n[card 0]\nnuma_node = 0\n[card 1]\nnuma_node = 1\n"
                           "[card 2]\nnuma_node = 1\n[links]\n0-1 = NV2\n1-2 = PIX\n";
    testing::UseWorld({.count = 3, .scenario = path});
    EXPECT_TRUE(world::World::Instance().ok());
    std::remove(path.c_str());
  }
};

TEST_F(LinkTest, CardsAreAsFarApartAsTheScenarioSays) {
  nvmlGpuTopologyLevel_t level{};
  EXPECT_EQ(nvmlDeviceGetTopologyCommonAncestor(Device(1), Device(2), &level), NVML_SUCCESS);
  EXPECT_EQ(level, NVML_TOPOLOGY_SINGLE);
  EXPECT_EQ(nvmlDeviceGetTopologyCommonAncestor(Device(0), Device(2), &level), NVML_SUCCESS);
  EXPECT_EQ(level, NVML_TOPOLOGY_SYSTEM);
  nvmlDevice_t near[3];
  unsigned count = 3;
  EXPECT_EQ(nvmlDeviceGetTopologyNearestGpus(Device(1), NVML_TOPOLOGY_SINGLE, &count, near),
            NVML_SUCCESS);
  ASSERT_EQ(count, 1u);
  EXPECT_EQ(near[0], Device(2));
}

TEST_F(LinkTest, NvlinksLeadToTheirPeer) {
  nvmlEnableState_t active{};
  EXPECT_EQ(nvmlDeviceGetNvLinkState(Device(0), 1, &active), NVML_SUCCESS);
  EXPECT_EQ(active, NVML_FEATURE_ENABLED);
  EXPECT_EQ(nvmlDeviceGetNvLinkState(Device(0), 2, &active), NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceGetNvLinkState(Device(0), 18, &active), NVML_ERROR_INVALID_ARGUMENT);
  nvmlPciInfo_t remote{};
  nvmlPciInfo_t peer{};
  EXPECT_EQ(nvmlDeviceGetNvLinkRemotePciInfo_v2(Device(0), 1, &remote), NVML_SUCCESS);
  EXPECT_EQ(nvmlDeviceGetPciInfo_v3(Device(1), &peer), NVML_SUCCESS);
  EXPECT_STREQ(remote.busId, peer.busId);
}

TEST_F(LinkTest, OnlyNvlinkedCardsHaveNvlinkAbilities) {
  nvmlGpuP2PStatus_t status{};
  EXPECT_EQ(nvmlDeviceGetP2PStatus(Device(0), Device(1), NVML_P2P_CAPS_INDEX_NVLINK, &status),
            NVML_SUCCESS);
  EXPECT_EQ(status, NVML_P2P_STATUS_OK);
  EXPECT_EQ(nvmlDeviceGetP2PStatus(Device(1), Device(2), NVML_P2P_CAPS_INDEX_NVLINK, &status),
            NVML_SUCCESS);
  EXPECT_EQ(status, NVML_P2P_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(nvmlDeviceGetP2PStatus(Device(1), Device(2), NVML_P2P_CAPS_INDEX_READ, &status),
            NVML_SUCCESS);
  EXPECT_EQ(status, NVML_P2P_STATUS_OK);
}

TEST_F(LinkTest, FieldsAreAnsweredOneByOne) {
  nvmlFieldValue_t fields[3] = {};
  fields[0].fieldId = NVML_FI_DEV_NVLINK_LINK_COUNT;
  fields[1].fieldId = 9999;
  fields[2].fieldId = NVML_FI_DEV_POWER_CURRENT_LIMIT;
  EXPECT_EQ(nvmlDeviceGetFieldValues(Device(0), 3, fields), NVML_SUCCESS);
  EXPECT_EQ(fields[0].nvmlReturn, NVML_SUCCESS);
  EXPECT_EQ(fields[0].value.uiVal, 2u);
  EXPECT_EQ(fields[1].nvmlReturn, NVML_ERROR_NOT_SUPPORTED);
  EXPECT_EQ(fields[2].value.uiVal, 400'000u);
  EXPECT_EQ(nvmlDeviceGetFieldValues(Device(0), 0, fields), NVML_ERROR_INVALID_ARGUMENT);
}

TEST_F(LinkTest, TheFabricIsAbsentInEveryVersionOfItsStruct) {
  nvmlGpuFabricInfo_v3_t third{};
  third.version = nvmlGpuFabricInfo_v3;
  EXPECT_EQ(nvmlDeviceGetGpuFabricInfoV(Device(0), &third), NVML_SUCCESS);
  EXPECT_EQ(third.state, NVML_GPU_FABRIC_STATE_NOT_SUPPORTED);
  third.version = nvmlGpuFabricInfo_v2;
  third.healthSummary = 0x77;
  EXPECT_EQ(nvmlDeviceGetGpuFabricInfoV(Device(0), &third), NVML_SUCCESS);
  third.version = 1;
  EXPECT_EQ(nvmlDeviceGetGpuFabricInfoV(Device(0), &third), NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
}

}  // namespace
}  // namespace simgpu::nvml

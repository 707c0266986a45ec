// How far apart cards are, and what they can do for each other.
#include <vector>

#include "simgpu/nvml/device/numa.h"
#include "simgpu/nvml/link/api.h"
#include "simgpu/nvml/session/answer.h"
#include "simgpu/nvml/system/api.h"

using simgpu::nvml::Card;
using simgpu::nvml::CardOf;
using simgpu::nvml::GiveList;
using simgpu::nvml::HandleOf;
using simgpu::nvml::Ready;
using simgpu::nvml::Tell;
using simgpu::world::LinkKind;
using simgpu::world::World;

namespace {

LinkKind LinkOf(const World& world, int a, int b) {
  return world.scenario().LinkBetween(a, b).kind;
}

// The way over PCIe. NVLinks are beside it: what lies under them is as their NUMA nodes say.
nvmlGpuTopologyLevel_t LevelBetween(const World& world, int a, int b) {
  switch (LinkOf(world, a, b)) {
    case LinkKind::kSelf:
      return NVML_TOPOLOGY_INTERNAL;
    case LinkKind::kPix:
      return NVML_TOPOLOGY_SINGLE;
    case LinkKind::kPxb:
      return NVML_TOPOLOGY_MULTIPLE;
    case LinkKind::kPhb:
      return NVML_TOPOLOGY_HOSTBRIDGE;
    case LinkKind::kNode:
      return NVML_TOPOLOGY_NODE;
    case LinkKind::kNvlink:
      return world.card(a).numa_node == world.card(b).numa_node ? NVML_TOPOLOGY_NODE
                                                                : NVML_TOPOLOGY_SYSTEM;
    default:
      return NVML_TOPOLOGY_SYSTEM;
  }
}

struct Pair {
  Card first;
  Card second;
};

nvmlReturn_t PairOf(nvmlDevice_t device1, nvmlDevice_t device2, Pair* pair) {
  SIMGPU_TRY(CardOf(device1, &pair->first));
  return CardOf(device2, &pair->second);
}

}  // namespace

nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t device1, nvmlDevice_t device2,
                                                 nvmlGpuTopologyLevel_t* level) {
  Pair pair;
  SIMGPU_TRY(PairOf(device1, device2, &pair));
  return Tell(device1, level, [&pair](const Card& card) {
    return LevelBetween(*card.world, card.index, pair.second.index);
  });
}

nvmlReturn_t nvmlDeviceGetTopologyNearestGpus(nvmlDevice_t device, nvmlGpuTopologyLevel_t level,
                                              unsigned* count, nvmlDevice_t* devices) {
  Card card;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(level >= NVML_TOPOLOGY_INTERNAL && level <= NVML_TOPOLOGY_SYSTEM,
                 NVML_ERROR_INVALID_ARGUMENT);
  std::vector<nvmlDevice_t> near;
  for (int other = 0; other < card.world->card_count(); ++other) {
    if (other != card.index && LevelBetween(*card.world, card.index, other) == level) {
      near.push_back(HandleOf(other));
    }
  }
  return GiveList(near, count, devices);
}

nvmlReturn_t nvmlSystemGetTopologyGpuSet(unsigned cpu, unsigned* count, nvmlDevice_t* devices) {
  World* world = nullptr;
  SIMGPU_TRY(Ready(&world));
  std::vector<nvmlDevice_t> near;
  for (int card = 0; card < world->card_count(); ++card) {
    const std::vector<unsigned> cpus = simgpu::nvml::CpusNear(world->card(card).numa_node);
    if (std::find(cpus.begin(), cpus.end(), cpu) != cpus.end()) near.push_back(HandleOf(card));
  }
  return GiveList(near, count, devices);
}

// Every card reaches every other; over NVLink, and with atomics, where there is one.
nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t device1, nvmlDevice_t device2,
                                    nvmlGpuP2PCapsIndex_t capability, nvmlGpuP2PStatus_t* status) {
  Pair pair;
  SIMGPU_TRY(PairOf(device1, device2, &pair));
  SIMGPU_REQUIRE(capability >= 0 && capability < NVML_P2P_CAPS_INDEX_UNKNOWN,
                 NVML_ERROR_INVALID_ARGUMENT);
  return Tell(device1, status, [&](const Card& card) {
    const bool nvlink = LinkOf(*card.world, card.index, pair.second.index) == LinkKind::kNvlink;
    const bool needs_nvlink =
        capability == NVML_P2P_CAPS_INDEX_NVLINK || capability == NVML_P2P_CAPS_INDEX_ATOMICS;
    return nvlink || !needs_nvlink ? NVML_P2P_STATUS_OK : NVML_P2P_STATUS_NOT_SUPPORTED;
  });
}

// The fabric of NVLink switches between machines, which these have not.
nvmlReturn_t nvmlDeviceGetGpuFabricInfo(nvmlDevice_t device, nvmlGpuFabricInfo_t* info) {
  return Tell(device, info, [](const Card&) {
    nvmlGpuFabricInfo_t none{};
    none.state = NVML_GPU_FABRIC_STATE_NOT_SUPPORTED;
    return none;
  });
}

// Both versions of the struct begin alike; the later one has a byte more.
nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfoV_t* info) {
  SIMGPU_TRY(simgpu::nvml::CheckDevice(device));
  SIMGPU_REQUIRE(info != nullptr, NVML_ERROR_INVALID_ARGUMENT);
  const unsigned version = info->version;
  const bool third = version == nvmlGpuFabricInfo_v3;
  SIMGPU_REQUIRE(third || version == nvmlGpuFabricInfo_v2, NVML_ERROR_ARGUMENT_VERSION_MISMATCH);
  std::memset(static_cast<void*>(info), 0,
              third ? sizeof(nvmlGpuFabricInfo_v3_t) : sizeof(nvmlGpuFabricInfo_v2_t));
  info->version = version;
  info->state = NVML_GPU_FABRIC_STATE_NOT_SUPPORTED;
  return NVML_SUCCESS;
}

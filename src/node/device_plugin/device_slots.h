// What the kubelet counts: every card stands there as so many devices, its slots, which are all
// alike. Which slots a container has says nothing on the cards it uses; they only should agree, for
// those who attribute cards by devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/kubelet/device_plugin_server.h"
#include "platform/nvml/nvml.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

inline constexpr uint32_t kDefaultSplit = 16;
inline constexpr uint32_t kMostSplit = 100;  // a slot's number has two digits

// "GPU-5d2bf5a3-0c4c-4b2f-8a5e-2a6b5a2f9d11::07"
std::string SlotId(const GpuUuid& card, uint32_t slot);
std::optional<GpuUuid> CardOfSlot(const std::string& id);

struct SlottedCard {
  GpuUuid uuid;
  bool is_healthy;
  std::optional<int64_t> numa_node;
};

// `split` slots of each.
std::vector<platform::PluginDevice> SlotsOf(const std::vector<SlottedCard>& cards, uint32_t split);

// Which slots would do best. `wanted` are the cards of the pod that is expected next, if there is
// one with so many; after those, slots of different cards, those first that have most of them free.
platform::DeviceIds PreferSlots(const platform::DeviceChoice& choice,
                                const std::vector<GpuUuid>& wanted);

}  // namespace warpshare::node

// The cards of this machine, in the order of their PCI addresses, which is the order of nvidia-smi.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "result/result.h"
#include "types/bytes.h"
#include "types/gpu_uuid.h"

namespace warpshare::platform {

struct Card {
  uint32_t index;
  GpuUuid uuid;
  std::string name;  // "NVIDIA A100-SXM4-40GB"; printable
  Bytes total;
  Bytes used;                              // by everybody, the driver included
  std::optional<uint32_t> minor = {};      // of its node, /dev/nvidia<minor>
  std::optional<uint32_t> numa_node = {};  // of the host, that is near it
};

// Opens libnvidia-ml.so.1 in that folder, asks, and lets it go.
Result<std::vector<Card>> ListCards(const std::string& driver_folder);

}  // namespace warpshare::platform

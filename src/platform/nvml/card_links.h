// How the cards of this machine are joined by NVLink, now.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "platform/nvml/nvml.h"
#include "result/result.h"
#include "types/gpu_uuid.h"

namespace warpshare::platform {

struct CardLinks {
  GpuUuid card;
  std::vector<GpuUuid> peers;  // at the other ends of its active links
  bool is_at_switch;           // or a switch is
};

// Of these cards. Opens libnvidia-ml.so.1 in that folder, asks, and lets it go. Cards that do not
// answer are left out; a driver that knows no links has none.
Result<std::vector<CardLinks>> ListLinks(const std::string& driver_folder,
                                         const std::vector<Card>& cards,
                                         std::chrono::milliseconds patience = kCardPatience);

}  // namespace warpshare::platform

// The NVLinks of a card, numbered from 0 through its peers in their order.
#pragma once

#include <vector>

#include "simgpu/nvml/session/session.h"

namespace simgpu::nvml {

inline constexpr unsigned kNvlinkVersion = 3;  // 25 GB/s a link and direction
inline constexpr unsigned kNvlinkMbps = static_cast<unsigned>(world::kNvlinkBps / 1'000'000);

// Index of the card at the other end of each link.
std::vector<int> NvlinksOf(const Card& card);

}  // namespace simgpu::nvml

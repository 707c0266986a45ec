// Priorities of streams: smaller numbers are more urgent.
#pragma once

#include <algorithm>

namespace simgpu::cuda {

inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -5;

// A number outside the range means the nearest end of it.
inline int ClampPriority(int priority) {
  return std::clamp(priority, kGreatestPriority, kLeastPriority);
}

}  // namespace simgpu::cuda

// The engines of a card; each has a timeline of its own, so copies and kernels overlap.
#pragma once

#include <cstdint>

namespace simgpu::world {

enum class EngineKind : uint32_t {
  kCompute,
  kCopyIn,      // host to device
  kCopyOut,     // device to host, and to another card
  kCopyWithin,  // device to the same device; memsets
};
inline constexpr int kEngineKinds = 4;

}  // namespace simgpu::world

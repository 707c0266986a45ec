// How a stream stands to the legacy default stream of its context.
#pragma once

#include <cstdint>

namespace simgpu::cuda {

enum class StreamRole : uint8_t {
  kBlocking,     // waits for the legacy default stream, and it for this one
  kNonBlocking,  // CU_STREAM_NON_BLOCKING, and branches of graphs
  kLegacy,       // one in a context
};

}  // namespace simgpu::cuda

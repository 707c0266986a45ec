// Memory of an extent at a fresh address of its own: what other processes shared, and what must lie
// where 32-bit pointers reach. The bytes are the extent's; the address is the view's alone.
#pragma once

#include "simgpu/cuda/memory/allocation.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {

class Context;

enum class ViewPlace : uint8_t { kAnywhere, kFirst4GiB };

struct ViewRequest {
  world::Extent extent;  // held by the caller
  uint64_t offset = 0;
  size_t bytes = 0;
  Origin origin = Origin::kDevice;
  ViewPlace place = ViewPlace::kAnywhere;
};

// From here on the hold on the extent is the view's, and ends with it; on failure, at once.
// CUDA_ERROR_MAP_FAILED when there is no room for it.
CUresult MapView(Context& context, const ViewRequest& request, CUdeviceptr* pointer);

}  // namespace simgpu::cuda

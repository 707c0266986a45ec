// CUmemLocation: a card of this process or the host.
#pragma once

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

inline constexpr int kHostCard = -1;  // where a card's index in the world is asked for

// The card's index in the world, or kHostCard. CUDA_ERROR_INVALID_DEVICE for a device that is not
// visible; CUDA_ERROR_INVALID_VALUE for a type that is no place.
CUresult CardOfLocation(const CUmemLocation& location, int* card);

// The ordinal that pointer queries tell: CU_DEVICE_CPU for the host.
CUdevice DeviceOfLocation(const CUmemLocation& location);

}  // namespace simgpu::cuda

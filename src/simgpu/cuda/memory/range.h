// Whether a range of addresses is memory that a copy or fill may touch, and where it lives.
#pragma once

#include "simgpu/cuda/memory/allocation.h"

namespace simgpu::cuda {

enum class Touch : uint8_t { kRead, kWrite };

// The allocation that holds the whole range; for mapped memory, the first of the mappings that
// cover it without a gap. CUDA_ERROR_INVALID_VALUE when some byte is not memory of the driver, or
// is mapped without the access. `bytes` above 0.
CUresult CheckRange(uintptr_t address, size_t bytes, Touch touch, Allocation* first);

}  // namespace simgpu::cuda

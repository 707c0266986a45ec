// Host memory that the driver allocates, or knows because the program registered it.
#pragma once

#include "simgpu/cuda/memory/allocation.h"

namespace simgpu::cuda {

class Context;

CUresult AllocateHost(Context& context, size_t bytes, unsigned flags, void** pointer);
CUresult FreeHost(void* pointer);

// CUDA_ERROR_INVALID_VALUE when part of the range is not mapped;
// CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED when part of it is known already.
CUresult RegisterHost(Context& context, void* pointer, size_t bytes, unsigned flags);
CUresult UnregisterHost(void* pointer);

}  // namespace simgpu::cuda

// What a function that frees memory by its address asks first.
#pragma once

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// As CurrentContext, but a thread without a context may free what any context gave: programs let go
// of their contexts first and of their memory afterwards. Any other address is
// CUDA_ERROR_INVALID_CONTEXT then.
CUresult ReadyToFree(const void* address);

}  // namespace simgpu::cuda

// Two-dimensional copies as three-dimensional ones of depth 1.
#pragma once

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

CUDA_MEMCPY3D AsRegion(const CUDA_MEMCPY2D& flat);

}  // namespace simgpu::cuda

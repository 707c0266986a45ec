// The program's own functions in a stream.
#pragma once

#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/stream.h"

namespace simgpu::cuda {

// cuLaunchHostFunc, or its node while the stream is being captured.
CUresult LaunchHostFunction(CUstream handle, DefaultStream mode, const CUDA_HOST_NODE_PARAMS& host);

// The work that a host node, or a call of cuLaunchHostFunc, is in a stream.
Op OpOf(const CUDA_HOST_NODE_PARAMS_v2& host);

}  // namespace simgpu::cuda

// Nothing profiles the simulated cards: starting and stopping succeed and do nothing.
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/process/api.h"
#include "simgpu/cuda/result.h"

namespace {

CUresult NeedContext() {
  simgpu::cuda::Context* context = nullptr;
  return simgpu::cuda::CurrentContext(&context);
}

}  // namespace

// Gone from CUDA 12 on, as the real driver says too.
CUresult cuProfilerInitialize(const char*, const char*, int) { return CUDA_ERROR_NOT_SUPPORTED; }

CUresult cuProfilerStart() { return NeedContext(); }

CUresult cuProfilerStop() { return NeedContext(); }

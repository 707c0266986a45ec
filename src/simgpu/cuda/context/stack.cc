// Making contexts current.
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/context/current.h"

using simgpu::cuda::Context;
using simgpu::cuda::ContextStack;
using simgpu::cuda::Ready;

// A primary context can be made current before it is retained; a CUDA runtime does so.
CUresult cuCtxPushCurrent_v2(CUcontext context) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(context != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(Context::From(context) != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  ContextStack::Push(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext context) { return cuCtxPushCurrent_v2(context); }

CUresult cuCtxPopCurrent_v2(CUcontext* context) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(ContextStack::Top() != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  const CUcontext popped = ContextStack::Pop();
  if (context != nullptr) *context = popped;
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext* context) { return cuCtxPopCurrent_v2(context); }

CUresult cuCtxSetCurrent(CUcontext context) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(context == nullptr || Context::From(context) != nullptr,
                 CUDA_ERROR_INVALID_CONTEXT);
  ContextStack::Set(context);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext* context) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(context != nullptr, CUDA_ERROR_INVALID_VALUE);
  *context = ContextStack::Top();
  return CUDA_SUCCESS;
}

// Also of a primary context that is not retained.
CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(device != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUcontext handle = context == nullptr ? ContextStack::Top() : context;
  SIMGPU_REQUIRE(handle != nullptr, CUDA_ERROR_INVALID_CONTEXT);
  const Context* const found = Context::From(handle);
  SIMGPU_REQUIRE(found != nullptr,
                 context == nullptr ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_CONTEXT);
  *device = found->device();
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice* device) { return cuCtxGetDevice_v2(device, nullptr); }

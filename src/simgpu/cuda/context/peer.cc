// Access of one context to the memory of another.
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/context/current.h"

using simgpu::cuda::Context;
using simgpu::cuda::CurrentContext;

namespace {

CUresult Pair(CUcontext peer_context, Context** context, Context** peer) {
  SIMGPU_TRY(CurrentContext(context));
  *peer = Context::From(peer_context);
  SIMGPU_REQUIRE(*peer != nullptr && (*peer)->live(), CUDA_ERROR_INVALID_CONTEXT);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuCtxEnablePeerAccess(CUcontext peer_context, unsigned flags) {
  Context* context = nullptr;
  Context* peer = nullptr;
  SIMGPU_TRY(Pair(peer_context, &context, &peer));
  SIMGPU_REQUIRE(flags == 0, CUDA_ERROR_INVALID_VALUE);
  return context->EnablePeer(*peer);
}

CUresult cuCtxDisablePeerAccess(CUcontext peer_context) {
  Context* context = nullptr;
  Context* peer = nullptr;
  SIMGPU_TRY(Pair(peer_context, &context, &peer));
  return context->DisablePeer(*peer);
}

#include "simgpu/cuda/stream/host_function.h"

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/stream/api.h"

namespace simgpu::cuda {
namespace {

CUresult FailureOf(const std::weak_ptr<Context>& context) {
  const std::shared_ptr<Context> known = context.lock();
  return known == nullptr ? CUDA_ERROR_CONTEXT_IS_DESTROYED : known->failure();
}

CUresult AddCallback(CUstream handle, DefaultStream mode, CUstreamCallback callback,
                     void* user_data, unsigned flags) {
  Stream* stream = nullptr;
  SIMGPU_TRY(ResolveForWork(handle, mode, &stream));
  SIMGPU_REQUIRE(callback != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  if (stream->capturing()) return SpoilCapture(*stream);
  const auto context = stream->context().weak_from_this();
  return stream->Enqueue(
      Op::HostFunction([=] { callback(handle, FailureOf(context), user_data); }));
}

}  // namespace

Op OpOf(const CUDA_HOST_NODE_PARAMS_v2& host) {
  return Op::HostFunction([host] { host.fn(host.userData); });
}

CUresult LaunchHostFunction(CUstream handle, DefaultStream mode,
                            const CUDA_HOST_NODE_PARAMS& host) {
  Stream* stream = nullptr;
  SIMGPU_TRY(ResolveForWork(handle, mode, &stream));
  SIMGPU_REQUIRE(host.fn != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_HOST_NODE_PARAMS_v2 function = {host.fn, host.userData};
  if (!stream->capturing()) {
    const auto context = stream->context().weak_from_this();
    return stream->Enqueue(Op::HostFunction([=] {
      if (FailureOf(context) == CUDA_SUCCESS) function.fn(function.userData);
    }));
  }
  NodeParams params = HostParams{function};
  return CaptureNode(*stream, params);
}

}  // namespace simgpu::cuda

using simgpu::cuda::DefaultStream;

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* user_data) {
  return simgpu::cuda::LaunchHostFunction(stream, DefaultStream::kLegacy, {function, user_data});
}
CUresult cuLaunchHostFunc_ptsz(CUstream stream, CUhostFn function, void* user_data) {
  return simgpu::cuda::LaunchHostFunction(stream, DefaultStream::kPerThread, {function, user_data});
}

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* user_data,
                             unsigned flags) {
  return simgpu::cuda::AddCallback(stream, DefaultStream::kLegacy, callback, user_data, flags);
}
CUresult cuStreamAddCallback_ptsz(CUstream stream, CUstreamCallback callback, void* user_data,
                                  unsigned flags) {
  return simgpu::cuda::AddCallback(stream, DefaultStream::kPerThread, callback, user_data, flags);
}

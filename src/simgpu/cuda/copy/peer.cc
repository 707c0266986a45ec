// Copies between the cards of two contexts. Where the memory lives is known from its address; the
// contexts are checked, and say what a copy without a stream comes after and before.
#include <vector>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/copy/submit.h"

namespace simgpu::cuda {
namespace {

// Arrays and device memory need a context; what is on the host has none.
CUresult CheckContext(CUmemorytype type, CUcontext handle) {
  if (type == CU_MEMORYTYPE_HOST) return CUDA_SUCCESS;
  const Context* const context = Context::From(handle);
  SIMGPU_REQUIRE(context != nullptr && context->live(), CUDA_ERROR_INVALID_CONTEXT);
  return CUDA_SUCCESS;
}

CUresult CheckContexts(const CUDA_MEMCPY3D_PEER& copy) {
  SIMGPU_TRY(CheckContext(copy.dstMemoryType, copy.dstContext));
  return CheckContext(copy.srcMemoryType, copy.srcContext);
}

// Those whose work the copy is in line with: the ones it names, and the current one.
CUresult ContextsInLine(const CUDA_MEMCPY3D_PEER& copy, std::vector<Context*>* contexts) {
  Context* current = nullptr;
  SIMGPU_TRY(CurrentContext(&current));
  contexts->push_back(current);
  if (copy.srcMemoryType != CU_MEMORYTYPE_HOST) contexts->push_back(Context::From(copy.srcContext));
  if (copy.dstMemoryType != CU_MEMORYTYPE_HOST) contexts->push_back(Context::From(copy.dstContext));
  return CUDA_SUCCESS;
}

CUDA_MEMCPY3D WithoutContexts(const CUDA_MEMCPY3D_PEER& peer) {
  CUDA_MEMCPY3D copy = {};
  copy.srcXInBytes = peer.srcXInBytes;
  copy.srcY = peer.srcY;
  copy.srcZ = peer.srcZ;
  copy.srcLOD = peer.srcLOD;
  copy.srcMemoryType = peer.srcMemoryType;
  copy.srcHost = peer.srcHost;
  copy.srcDevice = peer.srcDevice;
  copy.srcArray = peer.srcArray;
  copy.srcPitch = peer.srcPitch;
  copy.srcHeight = peer.srcHeight;
  copy.dstXInBytes = peer.dstXInBytes;
  copy.dstY = peer.dstY;
  copy.dstZ = peer.dstZ;
  copy.dstLOD = peer.dstLOD;
  copy.dstMemoryType = peer.dstMemoryType;
  copy.dstHost = peer.dstHost;
  copy.dstDevice = peer.dstDevice;
  copy.dstArray = peer.dstArray;
  copy.dstPitch = peer.dstPitch;
  copy.dstHeight = peer.dstHeight;
  copy.WidthInBytes = peer.WidthInBytes;
  copy.Height = peer.Height;
  copy.Depth = peer.Depth;
  return copy;
}

CUDA_MEMCPY3D_PEER LinearPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                              CUcontext src_context, size_t bytes) {
  CUDA_MEMCPY3D_PEER copy = {};
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = dst;
  copy.dstContext = dst_context;
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = src;
  copy.srcContext = src_context;
  copy.WidthInBytes = bytes;
  copy.Height = 1;
  copy.Depth = 1;
  return copy;
}

CUresult PeerNow(const CUDA_MEMCPY3D_PEER* copy, DefaultStream mode) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckContexts(*copy));
  std::vector<Context*> contexts;
  SIMGPU_TRY(ContextsInLine(*copy, &contexts));
  return CopyNowAmong(contexts, WithoutContexts(*copy), mode);
}

CUresult PeerInStream(const CUDA_MEMCPY3D_PEER* copy, CUstream stream, DefaultStream mode) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckContexts(*copy));
  return CopyInStream(WithoutContexts(*copy), stream, mode);
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                                    CUcontext src_context, size_t bytes) {
  const auto copy = LinearPeer(dst, dst_context, src, src_context, bytes);
  return PeerNow(&copy, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyPeer_ptds(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                                         CUcontext src_context, size_t bytes) {
  const auto copy = LinearPeer(dst, dst_context, src, src_context, bytes);
  return PeerNow(&copy, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                                         CUcontext src_context, size_t bytes, CUstream stream) {
  const auto copy = LinearPeer(dst, dst_context, src, src_context, bytes);
  return PeerInStream(&copy, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr dst, CUcontext dst_context,
                                              CUdeviceptr src, CUcontext src_context, size_t bytes,
                                              CUstream stream) {
  const auto copy = LinearPeer(dst, dst_context, src, src_context, bytes);
  return PeerInStream(&copy, stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy) {
  return PeerNow(copy, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER* copy) {
  return PeerNow(copy, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return PeerInStream(copy, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D_PEER* copy, CUstream stream) {
  return PeerInStream(copy, stream, DefaultStream::kPerThread);
}

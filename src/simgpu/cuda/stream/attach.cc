// cuStreamAttachMemAsync: managed memory is reachable from everywhere at all times here, so that
// attaching it changes only what is reported of it.
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/stream/stream.h"

using simgpu::cuda::AllocationMap;
using simgpu::cuda::DefaultStream;
using simgpu::cuda::Op;
using simgpu::cuda::Origin;
using simgpu::cuda::Stream;

namespace {

CUresult Attach(CUstream handle, DefaultStream mode, CUdeviceptr pointer, size_t length,
                unsigned flags) {
  Stream* stream = nullptr;
  SIMGPU_TRY(simgpu::cuda::ResolveForWork(handle, mode, &stream));
  SIMGPU_REQUIRE(
      flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST || flags == CU_MEM_ATTACH_SINGLE,
      CUDA_ERROR_INVALID_VALUE);
  const auto allocation = AllocationMap::Instance().Find(pointer);
  SIMGPU_REQUIRE(allocation.has_value() && allocation->origin == Origin::kManaged,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(length == 0 || (pointer == allocation->base && length == allocation->bytes),
                 CUDA_ERROR_INVALID_VALUE);
  if (stream->capturing()) return simgpu::cuda::SpoilCapture(*stream);
  return stream->Enqueue(Op::Effect([pointer, flags] {
    AllocationMap::Instance().Update(
        pointer, [flags](simgpu::cuda::Allocation& managed) { managed.flags = flags; });
  }));
}

}  // namespace

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t length,
                                unsigned flags) {
  return Attach(stream, DefaultStream::kLegacy, pointer, length, flags);
}
CUresult cuStreamAttachMemAsync_ptsz(CUstream stream, CUdeviceptr pointer, size_t length,
                                     unsigned flags) {
  return Attach(stream, DefaultStream::kPerThread, pointer, length, flags);
}

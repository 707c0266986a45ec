#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/pool/api.h"
#include "simgpu/cuda/pool/pools.h"
#include "simgpu/cuda/stream/stream.h"

namespace simgpu::cuda {
namespace {

constexpr Origins kFreeableInStream = {Origin::kDevice, Origin::kManaged, Origin::kPool,
                                       Origin::kPoolImport, Origin::kGraph};

// While its stream is captured, an allocation is the graph's: the pool only lends its properties.
CUresult CaptureAllocation(Stream& stream, const MemoryPool& pool, size_t bytes,
                           CUdeviceptr* pointer) {
  AllocationParams allocation;
  allocation.alloc.poolProps = pool.spec().props;
  allocation.alloc.bytesize = bytes;
  NodeParams params = std::move(allocation);
  SIMGPU_TRY(CaptureNode(stream, params));
  *pointer = std::get<AllocationParams>(params).alloc.dptr;
  return CUDA_SUCCESS;
}

CUresult Allocate(Stream& stream, MemoryPool& pool, size_t bytes, CUdeviceptr* pointer) {
  SIMGPU_REQUIRE(pointer != nullptr && bytes != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(!pool.spec().imported, CUDA_ERROR_INVALID_VALUE);
  if (stream.capturing()) return CaptureAllocation(stream, pool, bytes, pointer);
  return pool.Allocate(stream, bytes, pointer);
}

CUresult AllocateFromCurrent(CUdeviceptr* pointer, size_t bytes, CUstream handle,
                             DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  MemoryPool* pool = nullptr;
  SIMGPU_TRY(CurrentPool(stream->context().device(), &pool));
  return Allocate(*stream, *pool, bytes, pointer);
}

CUresult AllocateFrom(CUmemoryPool pool_handle, CUdeviceptr* pointer, size_t bytes, CUstream handle,
                      DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  MemoryPool* const pool = MemoryPool::From(pool_handle);
  SIMGPU_REQUIRE(pool != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Allocate(*stream, *pool, bytes, pointer);
}

CUresult Free(CUdeviceptr pointer, CUstream handle, DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  if (stream->capturing()) {
    FreeParams freed;
    freed.pointer = pointer;
    NodeParams params = std::move(freed);
    return CaptureNode(*stream, params);
  }
  const auto allocation = AllocationMap::Instance().Take(pointer, kFreeableInStream);
  SIMGPU_REQUIRE(allocation.has_value(), CUDA_ERROR_INVALID_VALUE);
  if (allocation->origin == Origin::kPool) {
    MemoryPool::Of(*allocation).FreeInStream(*allocation, *stream);
    return CUDA_SUCCESS;
  }
  const auto give_back = [allocation = *allocation] { GiveBack(allocation); };
  if (stream->Enqueue(Op::Effect(give_back)) != CUDA_SUCCESS) give_back();
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  return AllocateFromCurrent(pointer, bytes, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemAllocAsync_ptsz(CUdeviceptr* pointer, size_t bytes, CUstream stream) {
  return AllocateFromCurrent(pointer, bytes, stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes,
                                               CUmemoryPool pool, CUstream stream) {
  return AllocateFrom(pool, pointer, bytes, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* pointer, size_t bytes,
                                                    CUmemoryPool pool, CUstream stream) {
  return AllocateFrom(pool, pointer, bytes, stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream) {
  return Free(pointer, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemFreeAsync_ptsz(CUdeviceptr pointer, CUstream stream) {
  return Free(pointer, stream, DefaultStream::kPerThread);
}

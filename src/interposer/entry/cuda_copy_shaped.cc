// Copies with a shape: arrays, pitched rows, boxes.
#include "interposer/dispatch/driver.h"
#include "interposer/entry/submit.h"

using namespace warpshare::interposer;

namespace {

Work Extent(const CUDA_MEMCPY2D* copy) {
  return AnyBytes(copy == nullptr ? 0 : copy->WidthInBytes * copy->Height);
}
Work Extent(const CUDA_MEMCPY3D* copy) {
  return AnyBytes(copy == nullptr ? 0 : copy->WidthInBytes * copy->Height * copy->Depth);
}
Work Extent(const CUDA_MEMCPY3D_PEER* copy) {
  return AnyBytes(copy == nullptr ? 0 : copy->WidthInBytes * copy->Height * copy->Depth);
}

// Of elements whose size is not said; it is the same each time.
Work Extents(const CUDA_MEMCPY3D_BATCH_OP* operations, size_t count) {
  size_t elements = 0;
  for (size_t i = 0; operations != nullptr && i < count; ++i) {
    const CUextent3D& extent = operations[i].extent;
    elements += extent.width * extent.height * extent.depth;
  }
  return AnyBytes(elements);
}

}  // namespace

SUBMIT_AND_QUEUE(cuMemcpyAtoA_v2, _ptds, CardBytes(bytes),
                 (CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes), to,
                 to_offset, from, from_offset, bytes)

SUBMIT_AND_QUEUE(cuMemcpyAtoD_v2, _ptds, CardBytes(bytes),
                 (CUdeviceptr to, CUarray from, size_t from_offset, size_t bytes), to, from,
                 from_offset, bytes)

SUBMIT_AND_QUEUE(cuMemcpyDtoA_v2, _ptds, CardBytes(bytes),
                 (CUarray to, size_t to_offset, CUdeviceptr from, size_t bytes), to, to_offset,
                 from, bytes)

SUBMIT_AND_FINISH(cuMemcpyAtoH_v2, _ptds, HostBytes(bytes),
                  (void* to, CUarray from, size_t from_offset, size_t bytes), to, from, from_offset,
                  bytes)

SUBMIT_AND_QUEUE(cuMemcpyHtoA_v2, _ptds, HostBytes(bytes),
                 (CUarray to, size_t to_offset, const void* from, size_t bytes), to, to_offset,
                 from, bytes)

SUBMIT_AND_QUEUE(cuMemcpy2D_v2, _ptds, Extent(copy), (const CUDA_MEMCPY2D* copy), copy)

SUBMIT_AND_QUEUE(cuMemcpy2DUnaligned_v2, _ptds, Extent(copy), (const CUDA_MEMCPY2D* copy), copy)

SUBMIT_AND_QUEUE(cuMemcpy3D_v2, _ptds, Extent(copy), (const CUDA_MEMCPY3D* copy), copy)

SUBMIT_AND_QUEUE(cuMemcpy3DPeer, _ptds, Extent(copy), (const CUDA_MEMCPY3D_PEER* copy), copy)

SUBMIT(cuMemcpyAtoHAsync_v2, _ptsz, HostBytes(bytes),
       (void* to, CUarray from, size_t from_offset, size_t bytes, CUstream stream), to, from,
       from_offset, bytes, stream)

SUBMIT(cuMemcpyHtoAAsync_v2, _ptsz, HostBytes(bytes),
       (CUarray to, size_t to_offset, const void* from, size_t bytes, CUstream stream), to,
       to_offset, from, bytes, stream)

SUBMIT(cuMemcpy2DAsync_v2, _ptsz, Extent(copy), (const CUDA_MEMCPY2D* copy, CUstream stream), copy,
       stream)

SUBMIT(cuMemcpy3DAsync_v2, _ptsz, Extent(copy), (const CUDA_MEMCPY3D* copy, CUstream stream), copy,
       stream)

SUBMIT(cuMemcpy3DPeerAsync, _ptsz, Extent(copy), (const CUDA_MEMCPY3D_PEER* copy, CUstream stream),
       copy, stream)

SUBMIT(cuMemcpy3DBatchAsync, _ptsz, Extents(operations, count),
       (size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed, unsigned long long flags,
        CUstream stream),
       count, operations, failed, flags, stream)

SUBMIT(cuMemcpy3DBatchAsync_v2, _ptsz, Extents(operations, count),
       (size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, unsigned long long flags,
        CUstream stream),
       count, operations, flags, stream)

// Copies of one run of bytes to or from a one-dimensional array.
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/copy/submit.h"

namespace simgpu::cuda {
namespace {

struct End {
  CUmemorytype type;
  CUdeviceptr address;
  CUarray array;
  size_t offset;
};

End OnDevice(CUdeviceptr pointer) { return {CU_MEMORYTYPE_DEVICE, pointer, nullptr, 0}; }

End OnHost(const void* pointer) {
  return {CU_MEMORYTYPE_HOST, reinterpret_cast<CUdeviceptr>(pointer), nullptr, 0};
}

End InArray(CUarray array, size_t offset) { return {CU_MEMORYTYPE_ARRAY, 0, array, offset}; }

CUDA_MEMCPY3D ArrayCopy(const End& to, const End& from, size_t bytes) {
  CUDA_MEMCPY3D copy = LinearCopy(to.type, to.address, from.type, from.address, bytes);
  copy.dstArray = to.array;
  copy.dstXInBytes = to.offset;
  copy.srcArray = from.array;
  copy.srcXInBytes = from.offset;
  return copy;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemcpyDtoA_v2(CUarray dst, size_t dst_offset, CUdeviceptr src,
                                       size_t bytes) {
  return CopyNow(ArrayCopy(InArray(dst, dst_offset), OnDevice(src), bytes), DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoA_v2_ptds(CUarray dst, size_t dst_offset, CUdeviceptr src,
                                            size_t bytes) {
  return CopyNow(ArrayCopy(InArray(dst, dst_offset), OnDevice(src), bytes),
                 DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoD_v2(CUdeviceptr dst, CUarray src, size_t src_offset,
                                       size_t bytes) {
  return CopyNow(ArrayCopy(OnDevice(dst), InArray(src, src_offset), bytes), DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoD_v2_ptds(CUdeviceptr dst, CUarray src, size_t src_offset,
                                            size_t bytes) {
  return CopyNow(ArrayCopy(OnDevice(dst), InArray(src, src_offset), bytes),
                 DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoA_v2(CUarray dst, size_t dst_offset, const void* src,
                                       size_t bytes) {
  return CopyNow(ArrayCopy(InArray(dst, dst_offset), OnHost(src), bytes), DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoA_v2_ptds(CUarray dst, size_t dst_offset, const void* src,
                                            size_t bytes) {
  return CopyNow(ArrayCopy(InArray(dst, dst_offset), OnHost(src), bytes),
                 DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoAAsync_v2(CUarray dst, size_t dst_offset, const void* src,
                                            size_t bytes, CUstream stream) {
  return CopyInStream(ArrayCopy(InArray(dst, dst_offset), OnHost(src), bytes), stream,
                      DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoAAsync_v2_ptsz(CUarray dst, size_t dst_offset, const void* src,
                                                 size_t bytes, CUstream stream) {
  return CopyInStream(ArrayCopy(InArray(dst, dst_offset), OnHost(src), bytes), stream,
                      DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoH_v2(void* dst, CUarray src, size_t src_offset, size_t bytes) {
  return CopyNow(ArrayCopy(OnHost(dst), InArray(src, src_offset), bytes), DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoH_v2_ptds(void* dst, CUarray src, size_t src_offset,
                                            size_t bytes) {
  return CopyNow(ArrayCopy(OnHost(dst), InArray(src, src_offset), bytes),
                 DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoHAsync_v2(void* dst, CUarray src, size_t src_offset, size_t bytes,
                                            CUstream stream) {
  return CopyInStream(ArrayCopy(OnHost(dst), InArray(src, src_offset), bytes), stream,
                      DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoHAsync_v2_ptsz(void* dst, CUarray src, size_t src_offset,
                                                 size_t bytes, CUstream stream) {
  return CopyInStream(ArrayCopy(OnHost(dst), InArray(src, src_offset), bytes), stream,
                      DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoA_v2(CUarray dst, size_t dst_offset, CUarray src,
                                       size_t src_offset, size_t bytes) {
  return CopyNow(ArrayCopy(InArray(dst, dst_offset), InArray(src, src_offset), bytes),
                 DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoA_v2_ptds(CUarray dst, size_t dst_offset, CUarray src,
                                            size_t src_offset, size_t bytes) {
  return CopyNow(ArrayCopy(InArray(dst, dst_offset), InArray(src, src_offset), bytes),
                 DefaultStream::kPerThread);
}

// Copies of one run of bytes between host and card memory.
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/copy/submit.h"

namespace simgpu::cuda {
namespace {

CUdeviceptr AddressOf(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return CopyNow(LinearCopy(CU_MEMORYTYPE_UNIFIED, dst, CU_MEMORYTYPE_UNIFIED, src, bytes),
                 DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return CopyNow(LinearCopy(CU_MEMORYTYPE_UNIFIED, dst, CU_MEMORYTYPE_UNIFIED, src, bytes),
                 DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                                     CUstream stream) {
  return CopyInStream(LinearCopy(CU_MEMORYTYPE_UNIFIED, dst, CU_MEMORYTYPE_UNIFIED, src, bytes),
                      stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                                          CUstream stream) {
  return CopyInStream(LinearCopy(CU_MEMORYTYPE_UNIFIED, dst, CU_MEMORYTYPE_UNIFIED, src, bytes),
                      stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void* src, size_t bytes) {
  return CopyNow(LinearCopy(CU_MEMORYTYPE_DEVICE, dst, CU_MEMORYTYPE_HOST, AddressOf(src), bytes),
                 DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dst, const void* src, size_t bytes) {
  return CopyNow(LinearCopy(CU_MEMORYTYPE_DEVICE, dst, CU_MEMORYTYPE_HOST, AddressOf(src), bytes),
                 DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void* src, size_t bytes,
                                            CUstream stream) {
  return CopyInStream(
      LinearCopy(CU_MEMORYTYPE_DEVICE, dst, CU_MEMORYTYPE_HOST, AddressOf(src), bytes), stream,
      DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr dst, const void* src, size_t bytes,
                                                 CUstream stream) {
  return CopyInStream(
      LinearCopy(CU_MEMORYTYPE_DEVICE, dst, CU_MEMORYTYPE_HOST, AddressOf(src), bytes), stream,
      DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoH_v2(void* dst, CUdeviceptr src, size_t bytes) {
  return CopyNow(LinearCopy(CU_MEMORYTYPE_HOST, AddressOf(dst), CU_MEMORYTYPE_DEVICE, src, bytes),
                 DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoH_v2_ptds(void* dst, CUdeviceptr src, size_t bytes) {
  return CopyNow(LinearCopy(CU_MEMORYTYPE_HOST, AddressOf(dst), CU_MEMORYTYPE_DEVICE, src, bytes),
                 DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoHAsync_v2(void* dst, CUdeviceptr src, size_t bytes,
                                            CUstream stream) {
  return CopyInStream(
      LinearCopy(CU_MEMORYTYPE_HOST, AddressOf(dst), CU_MEMORYTYPE_DEVICE, src, bytes), stream,
      DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoHAsync_v2_ptsz(void* dst, CUdeviceptr src, size_t bytes,
                                                 CUstream stream) {
  return CopyInStream(
      LinearCopy(CU_MEMORYTYPE_HOST, AddressOf(dst), CU_MEMORYTYPE_DEVICE, src, bytes), stream,
      DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return CopyNow(LinearCopy(CU_MEMORYTYPE_DEVICE, dst, CU_MEMORYTYPE_DEVICE, src, bytes),
                 DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr dst, CUdeviceptr src, size_t bytes) {
  return CopyNow(LinearCopy(CU_MEMORYTYPE_DEVICE, dst, CU_MEMORYTYPE_DEVICE, src, bytes),
                 DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                                            CUstream stream) {
  return CopyInStream(LinearCopy(CU_MEMORYTYPE_DEVICE, dst, CU_MEMORYTYPE_DEVICE, src, bytes),
                      stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                                                 CUstream stream) {
  return CopyInStream(LinearCopy(CU_MEMORYTYPE_DEVICE, dst, CU_MEMORYTYPE_DEVICE, src, bytes),
                      stream, DefaultStream::kPerThread);
}

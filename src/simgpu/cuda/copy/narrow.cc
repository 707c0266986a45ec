// The copies and fills of CUDA 2.0: 32-bit pointers (which cuMemAlloc of that time gives) and
// sizes.
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {
namespace {

CUDA_MEMCPY2D Widen(const CUDA_MEMCPY2D_v1& narrow) {
  CUDA_MEMCPY2D wide = {};
  wide.srcXInBytes = narrow.srcXInBytes;
  wide.srcY = narrow.srcY;
  wide.srcMemoryType = narrow.srcMemoryType;
  wide.srcHost = narrow.srcHost;
  wide.srcDevice = narrow.srcDevice;
  wide.srcArray = narrow.srcArray;
  wide.srcPitch = narrow.srcPitch;
  wide.dstXInBytes = narrow.dstXInBytes;
  wide.dstY = narrow.dstY;
  wide.dstMemoryType = narrow.dstMemoryType;
  wide.dstHost = narrow.dstHost;
  wide.dstDevice = narrow.dstDevice;
  wide.dstArray = narrow.dstArray;
  wide.dstPitch = narrow.dstPitch;
  wide.WidthInBytes = narrow.WidthInBytes;
  wide.Height = narrow.Height;
  return wide;
}

CUDA_MEMCPY3D Widen(const CUDA_MEMCPY3D_v1& narrow) {
  CUDA_MEMCPY3D wide = {};
  wide.srcXInBytes = narrow.srcXInBytes;
  wide.srcY = narrow.srcY;
  wide.srcZ = narrow.srcZ;
  wide.srcLOD = narrow.srcLOD;
  wide.srcMemoryType = narrow.srcMemoryType;
  wide.srcHost = narrow.srcHost;
  wide.srcDevice = narrow.srcDevice;
  wide.srcArray = narrow.srcArray;
  wide.srcPitch = narrow.srcPitch;
  wide.srcHeight = narrow.srcHeight;
  wide.dstXInBytes = narrow.dstXInBytes;
  wide.dstY = narrow.dstY;
  wide.dstZ = narrow.dstZ;
  wide.dstLOD = narrow.dstLOD;
  wide.dstMemoryType = narrow.dstMemoryType;
  wide.dstHost = narrow.dstHost;
  wide.dstDevice = narrow.dstDevice;
  wide.dstArray = narrow.dstArray;
  wide.dstPitch = narrow.dstPitch;
  wide.dstHeight = narrow.dstHeight;
  wide.WidthInBytes = narrow.WidthInBytes;
  wide.Height = narrow.Height;
  wide.Depth = narrow.Depth;
  return wide;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemcpyHtoD(CUdeviceptr_v1 dst, const void* src, unsigned bytes) {
  return cuMemcpyHtoD_v2(dst, src, bytes);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoH(void* dst, CUdeviceptr_v1 src, unsigned bytes) {
  return cuMemcpyDtoH_v2(dst, src, bytes);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoD(CUdeviceptr_v1 dst, CUdeviceptr_v1 src, unsigned bytes) {
  return cuMemcpyDtoD_v2(dst, src, bytes);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoDAsync(CUdeviceptr_v1 dst, const void* src, unsigned bytes,
                                         CUstream stream) {
  return cuMemcpyHtoDAsync_v2(dst, src, bytes, stream);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoHAsync(void* dst, CUdeviceptr_v1 src, unsigned bytes,
                                         CUstream stream) {
  return cuMemcpyDtoHAsync_v2(dst, src, bytes, stream);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoDAsync(CUdeviceptr_v1 dst, CUdeviceptr_v1 src, unsigned bytes,
                                         CUstream stream) {
  return cuMemcpyDtoDAsync_v2(dst, src, bytes, stream);
}

SIMGPU_EXPORT CUresult cuMemcpyDtoA(CUarray dst, unsigned dst_offset, CUdeviceptr_v1 src,
                                    unsigned bytes) {
  return cuMemcpyDtoA_v2(dst, dst_offset, src, bytes);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoD(CUdeviceptr_v1 dst, CUarray src, unsigned src_offset,
                                    unsigned bytes) {
  return cuMemcpyAtoD_v2(dst, src, src_offset, bytes);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoA(CUarray dst, unsigned dst_offset, const void* src,
                                    unsigned bytes) {
  return cuMemcpyHtoA_v2(dst, dst_offset, src, bytes);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoH(void* dst, CUarray src, unsigned src_offset, unsigned bytes) {
  return cuMemcpyAtoH_v2(dst, src, src_offset, bytes);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoA(CUarray dst, unsigned dst_offset, CUarray src,
                                    unsigned src_offset, unsigned bytes) {
  return cuMemcpyAtoA_v2(dst, dst_offset, src, src_offset, bytes);
}

SIMGPU_EXPORT CUresult cuMemcpyHtoAAsync(CUarray dst, unsigned dst_offset, const void* src,
                                         unsigned bytes, CUstream stream) {
  return cuMemcpyHtoAAsync_v2(dst, dst_offset, src, bytes, stream);
}

SIMGPU_EXPORT CUresult cuMemcpyAtoHAsync(void* dst, CUarray src, unsigned src_offset,
                                         unsigned bytes, CUstream stream) {
  return cuMemcpyAtoHAsync_v2(dst, src, src_offset, bytes, stream);
}

SIMGPU_EXPORT CUresult cuMemsetD8(CUdeviceptr_v1 dst, unsigned char value, unsigned count) {
  return cuMemsetD8_v2(dst, value, count);
}

SIMGPU_EXPORT CUresult cuMemsetD2D8(CUdeviceptr_v1 dst, unsigned dst_pitch, unsigned char value,
                                    unsigned width, unsigned height) {
  return cuMemsetD2D8_v2(dst, dst_pitch, value, width, height);
}

SIMGPU_EXPORT CUresult cuMemsetD16(CUdeviceptr_v1 dst, unsigned short value, unsigned count) {
  return cuMemsetD16_v2(dst, value, count);
}

SIMGPU_EXPORT CUresult cuMemsetD2D16(CUdeviceptr_v1 dst, unsigned dst_pitch, unsigned short value,
                                     unsigned width, unsigned height) {
  return cuMemsetD2D16_v2(dst, dst_pitch, value, width, height);
}

SIMGPU_EXPORT CUresult cuMemsetD32(CUdeviceptr_v1 dst, unsigned value, unsigned count) {
  return cuMemsetD32_v2(dst, value, count);
}

SIMGPU_EXPORT CUresult cuMemsetD2D32(CUdeviceptr_v1 dst, unsigned dst_pitch, unsigned value,
                                     unsigned width, unsigned height) {
  return cuMemsetD2D32_v2(dst, dst_pitch, value, width, height);
}

SIMGPU_EXPORT CUresult cuMemcpy2D(const CUDA_MEMCPY2D_v1* copy) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_MEMCPY2D wide = Widen(*copy);
  return cuMemcpy2D_v2(&wide);
}

SIMGPU_EXPORT CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D_v1* copy) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_MEMCPY2D wide = Widen(*copy);
  return cuMemcpy2DUnaligned_v2(&wide);
}

SIMGPU_EXPORT CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D_v1* copy, CUstream stream) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_MEMCPY2D wide = Widen(*copy);
  return cuMemcpy2DAsync_v2(&wide, stream);
}

SIMGPU_EXPORT CUresult cuMemcpy3D(const CUDA_MEMCPY3D_v1* copy) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_MEMCPY3D wide = Widen(*copy);
  return cuMemcpy3D_v2(&wide);
}

SIMGPU_EXPORT CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D_v1* copy, CUstream stream) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  const CUDA_MEMCPY3D wide = Widen(*copy);
  return cuMemcpy3DAsync_v2(&wide, stream);
}

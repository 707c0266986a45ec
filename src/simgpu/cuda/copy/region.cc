// Copies of two and three dimensions.
#include "simgpu/cuda/copy/region.h"

#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/copy/submit.h"

namespace simgpu::cuda {

CUDA_MEMCPY3D AsRegion(const CUDA_MEMCPY2D& flat) {
  CUDA_MEMCPY3D copy = {};
  copy.srcXInBytes = flat.srcXInBytes;
  copy.srcY = flat.srcY;
  copy.srcMemoryType = flat.srcMemoryType;
  copy.srcHost = flat.srcHost;
  copy.srcDevice = flat.srcDevice;
  copy.srcArray = flat.srcArray;
  copy.srcPitch = flat.srcPitch;
  copy.dstXInBytes = flat.dstXInBytes;
  copy.dstY = flat.dstY;
  copy.dstMemoryType = flat.dstMemoryType;
  copy.dstHost = flat.dstHost;
  copy.dstDevice = flat.dstDevice;
  copy.dstArray = flat.dstArray;
  copy.dstPitch = flat.dstPitch;
  copy.WidthInBytes = flat.WidthInBytes;
  copy.Height = flat.Height;
  copy.Depth = 1;
  return copy;
}

namespace {

CUresult Now(const CUDA_MEMCPY2D* copy, DefaultStream mode) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  return CopyNow(AsRegion(*copy), mode);
}

CUresult Now(const CUDA_MEMCPY3D* copy, DefaultStream mode) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  return CopyNow(*copy, mode);
}

CUresult InStream(const CUDA_MEMCPY2D* copy, CUstream stream, DefaultStream mode) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  return CopyInStream(AsRegion(*copy), stream, mode);
}

CUresult InStream(const CUDA_MEMCPY3D* copy, CUstream stream, DefaultStream mode) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  return CopyInStream(*copy, stream, mode);
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy) {
  return Now(copy, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D* copy) {
  return Now(copy, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy) {
  return Now(copy, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D* copy) {
  return Now(copy, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return InStream(copy, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D* copy, CUstream stream) {
  return InStream(copy, stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy) {
  return Now(copy, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D* copy) {
  return Now(copy, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return InStream(copy, stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D* copy, CUstream stream) {
  return InStream(copy, stream, DefaultStream::kPerThread);
}

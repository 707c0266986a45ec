// Fills of runs and of rows.
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/copy/submit.h"

namespace simgpu::cuda {
namespace {

CUDA_MEMSET_NODE_PARAMS_v2 Run(CUdeviceptr dst, unsigned element_bytes, unsigned value,
                               size_t count) {
  return {dst, 0, value, element_bytes, count, 1, nullptr};
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr dst, unsigned char value, size_t count) {
  return FillNow(Run(dst, 1, value, count), DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD8_v2_ptds(CUdeviceptr dst, unsigned char value, size_t count) {
  return FillNow(Run(dst, 1, value, count), DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t count,
                                       CUstream stream) {
  return FillInStream(Run(dst, 1, value, count), stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD8Async_ptsz(CUdeviceptr dst, unsigned char value, size_t count,
                                            CUstream stream) {
  return FillInStream(Run(dst, 1, value, count), stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD2D8_v2(CUdeviceptr dst, size_t dst_pitch, unsigned char value,
                                       size_t width, size_t height) {
  return FillNow({dst, dst_pitch, value, 1, width, height, nullptr}, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr dst, size_t dst_pitch, unsigned char value,
                                            size_t width, size_t height) {
  return FillNow({dst, dst_pitch, value, 1, width, height, nullptr}, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD2D8Async(CUdeviceptr dst, size_t dst_pitch, unsigned char value,
                                         size_t width, size_t height, CUstream stream) {
  return FillInStream({dst, dst_pitch, value, 1, width, height, nullptr}, stream,
                      DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr dst, size_t dst_pitch,
                                              unsigned char value, size_t width, size_t height,
                                              CUstream stream) {
  return FillInStream({dst, dst_pitch, value, 1, width, height, nullptr}, stream,
                      DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr dst, unsigned short value, size_t count) {
  return FillNow(Run(dst, 2, value, count), DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD16_v2_ptds(CUdeviceptr dst, unsigned short value, size_t count) {
  return FillNow(Run(dst, 2, value, count), DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t count,
                                        CUstream stream) {
  return FillInStream(Run(dst, 2, value, count), stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD16Async_ptsz(CUdeviceptr dst, unsigned short value, size_t count,
                                             CUstream stream) {
  return FillInStream(Run(dst, 2, value, count), stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD2D16_v2(CUdeviceptr dst, size_t dst_pitch, unsigned short value,
                                        size_t width, size_t height) {
  return FillNow({dst, dst_pitch, value, 2, width, height, nullptr}, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr dst, size_t dst_pitch,
                                             unsigned short value, size_t width, size_t height) {
  return FillNow({dst, dst_pitch, value, 2, width, height, nullptr}, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD2D16Async(CUdeviceptr dst, size_t dst_pitch, unsigned short value,
                                          size_t width, size_t height, CUstream stream) {
  return FillInStream({dst, dst_pitch, value, 2, width, height, nullptr}, stream,
                      DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr dst, size_t dst_pitch,
                                               unsigned short value, size_t width, size_t height,
                                               CUstream stream) {
  return FillInStream({dst, dst_pitch, value, 2, width, height, nullptr}, stream,
                      DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr dst, unsigned value, size_t count) {
  return FillNow(Run(dst, 4, value, count), DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD32_v2_ptds(CUdeviceptr dst, unsigned value, size_t count) {
  return FillNow(Run(dst, 4, value, count), DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t count,
                                        CUstream stream) {
  return FillInStream(Run(dst, 4, value, count), stream, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD32Async_ptsz(CUdeviceptr dst, unsigned value, size_t count,
                                             CUstream stream) {
  return FillInStream(Run(dst, 4, value, count), stream, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD2D32_v2(CUdeviceptr dst, size_t dst_pitch, unsigned value,
                                        size_t width, size_t height) {
  return FillNow({dst, dst_pitch, value, 4, width, height, nullptr}, DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr dst, size_t dst_pitch, unsigned value,
                                             size_t width, size_t height) {
  return FillNow({dst, dst_pitch, value, 4, width, height, nullptr}, DefaultStream::kPerThread);
}

SIMGPU_EXPORT CUresult cuMemsetD2D32Async(CUdeviceptr dst, size_t dst_pitch, unsigned value,
                                          size_t width, size_t height, CUstream stream) {
  return FillInStream({dst, dst_pitch, value, 4, width, height, nullptr}, stream,
                      DefaultStream::kLegacy);
}

SIMGPU_EXPORT CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr dst, size_t dst_pitch, unsigned value,
                                               size_t width, size_t height, CUstream stream) {
  return FillInStream({dst, dst_pitch, value, 4, width, height, nullptr}, stream,
                      DefaultStream::kPerThread);
}

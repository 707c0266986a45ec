// Copies and fills of every shape. Without suffix: as CUDA 2.0 declared them, with 32-bit sizes.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpy2D(const CUDA_MEMCPY2D_v1* copy);
SIMGPU_EXPORT CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D_v1* copy, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D* copy, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy2DAsync_v2_ptsz(const CUDA_MEMCPY2D* copy, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D_v1* copy);
SIMGPU_EXPORT CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D* copy);
SIMGPU_EXPORT CUresult cuMemcpy2DUnaligned_v2_ptds(const CUDA_MEMCPY2D* copy);
SIMGPU_EXPORT CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D* copy);
SIMGPU_EXPORT CUresult cuMemcpy2D_v2_ptds(const CUDA_MEMCPY2D* copy);
SIMGPU_EXPORT CUresult cuMemcpy3D(const CUDA_MEMCPY3D_v1* copy);
SIMGPU_EXPORT CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D_v1* copy, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D* copy, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DAsync_v2_ptsz(const CUDA_MEMCPY3D* copy, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* ops,
                                            size_t* failed, unsigned long long flags,
                                            CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DBatchAsync_ptsz(size_t count, CUDA_MEMCPY3D_BATCH_OP* ops,
                                                 size_t* failed, unsigned long long flags,
                                                 CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* ops,
                                               unsigned long long flags, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DBatchAsync_v2_ptsz(size_t count, CUDA_MEMCPY3D_BATCH_OP* ops,
                                                    unsigned long long flags, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER* copy);
SIMGPU_EXPORT CUresult cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER* copy, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DPeerAsync_ptsz(const CUDA_MEMCPY3D_PEER* copy, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpy3DPeer_ptds(const CUDA_MEMCPY3D_PEER* copy);
SIMGPU_EXPORT CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D* copy);
SIMGPU_EXPORT CUresult cuMemcpy3D_v2_ptds(const CUDA_MEMCPY3D* copy);
SIMGPU_EXPORT CUresult cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                                     CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyAsync_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                                          CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyAtoA(CUarray dst, unsigned dst_offset, CUarray src,
                                    unsigned src_offset, unsigned bytes);
SIMGPU_EXPORT CUresult cuMemcpyAtoA_v2(CUarray dst, size_t dst_offset, CUarray src,
                                       size_t src_offset, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyAtoA_v2_ptds(CUarray dst, size_t dst_offset, CUarray src,
                                            size_t src_offset, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyAtoD(CUdeviceptr_v1 dst, CUarray src, unsigned src_offset,
                                    unsigned bytes);
SIMGPU_EXPORT CUresult cuMemcpyAtoD_v2(CUdeviceptr dst, CUarray src, size_t src_offset,
                                       size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyAtoD_v2_ptds(CUdeviceptr dst, CUarray src, size_t src_offset,
                                            size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyAtoH(void* dst, CUarray src, unsigned src_offset, unsigned bytes);
SIMGPU_EXPORT CUresult cuMemcpyAtoHAsync(void* dst, CUarray src, unsigned src_offset,
                                         unsigned bytes, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyAtoHAsync_v2(void* dst, CUarray src, size_t src_offset, size_t bytes,
                                            CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyAtoHAsync_v2_ptsz(void* dst, CUarray src, size_t src_offset,
                                                 size_t bytes, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyAtoH_v2(void* dst, CUarray src, size_t src_offset, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyAtoH_v2_ptds(void* dst, CUarray src, size_t src_offset,
                                            size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                          size_t count, CUmemcpyAttributes* attrs,
                                          size_t* attr_starts, size_t num_attrs, size_t* failed,
                                          CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyBatchAsync_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                               size_t count, CUmemcpyAttributes* attrs,
                                               size_t* attr_starts, size_t num_attrs,
                                               size_t* failed, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes,
                                             size_t count, CUmemcpyAttributes* attrs,
                                             size_t* attr_starts, size_t num_attrs,
                                             CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyBatchAsync_v2_ptsz(CUdeviceptr* dsts, CUdeviceptr* srcs,
                                                  size_t* sizes, size_t count,
                                                  CUmemcpyAttributes* attrs, size_t* attr_starts,
                                                  size_t num_attrs, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyDtoA(CUarray dst, unsigned dst_offset, CUdeviceptr_v1 src,
                                    unsigned bytes);
SIMGPU_EXPORT CUresult cuMemcpyDtoA_v2(CUarray dst, size_t dst_offset, CUdeviceptr src,
                                       size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyDtoA_v2_ptds(CUarray dst, size_t dst_offset, CUdeviceptr src,
                                            size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyDtoD(CUdeviceptr_v1 dst, CUdeviceptr_v1 src, unsigned bytes);
SIMGPU_EXPORT CUresult cuMemcpyDtoDAsync(CUdeviceptr_v1 dst, CUdeviceptr_v1 src, unsigned bytes,
                                         CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                                            CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyDtoDAsync_v2_ptsz(CUdeviceptr dst, CUdeviceptr src, size_t bytes,
                                                 CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyDtoD_v2(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyDtoD_v2_ptds(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyDtoH(void* dst, CUdeviceptr_v1 src, unsigned bytes);
SIMGPU_EXPORT CUresult cuMemcpyDtoHAsync(void* dst, CUdeviceptr_v1 src, unsigned bytes,
                                         CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyDtoHAsync_v2(void* dst, CUdeviceptr src, size_t bytes,
                                            CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyDtoHAsync_v2_ptsz(void* dst, CUdeviceptr src, size_t bytes,
                                                 CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyDtoH_v2(void* dst, CUdeviceptr src, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyDtoH_v2_ptds(void* dst, CUdeviceptr src, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyHtoA(CUarray dst, unsigned dst_offset, const void* src,
                                    unsigned bytes);
SIMGPU_EXPORT CUresult cuMemcpyHtoAAsync(CUarray dst, unsigned dst_offset, const void* src,
                                         unsigned bytes, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyHtoAAsync_v2(CUarray dst, size_t dst_offset, const void* src,
                                            size_t bytes, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyHtoAAsync_v2_ptsz(CUarray dst, size_t dst_offset, const void* src,
                                                 size_t bytes, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyHtoA_v2(CUarray dst, size_t dst_offset, const void* src,
                                       size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyHtoA_v2_ptds(CUarray dst, size_t dst_offset, const void* src,
                                            size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyHtoD(CUdeviceptr_v1 dst, const void* src, unsigned bytes);
SIMGPU_EXPORT CUresult cuMemcpyHtoDAsync(CUdeviceptr_v1 dst, const void* src, unsigned bytes,
                                         CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr dst, const void* src, size_t bytes,
                                            CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyHtoDAsync_v2_ptsz(CUdeviceptr dst, const void* src, size_t bytes,
                                                 CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr dst, const void* src, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyHtoD_v2_ptds(CUdeviceptr dst, const void* src, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                                    CUcontext src_context, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                                         CUcontext src_context, size_t bytes, CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyPeerAsync_ptsz(CUdeviceptr dst, CUcontext dst_context,
                                              CUdeviceptr src, CUcontext src_context, size_t bytes,
                                              CUstream stream);
SIMGPU_EXPORT CUresult cuMemcpyPeer_ptds(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                                         CUcontext src_context, size_t bytes);
SIMGPU_EXPORT CUresult cuMemcpy_ptds(CUdeviceptr dst, CUdeviceptr src, size_t bytes);
SIMGPU_EXPORT CUresult cuMemsetD16(CUdeviceptr_v1 dst, unsigned short value, unsigned count);
SIMGPU_EXPORT CUresult cuMemsetD16Async(CUdeviceptr dst, unsigned short value, size_t count,
                                        CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD16Async_ptsz(CUdeviceptr dst, unsigned short value, size_t count,
                                             CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD16_v2(CUdeviceptr dst, unsigned short value, size_t count);
SIMGPU_EXPORT CUresult cuMemsetD16_v2_ptds(CUdeviceptr dst, unsigned short value, size_t count);
SIMGPU_EXPORT CUresult cuMemsetD2D16(CUdeviceptr_v1 dst, unsigned dst_pitch, unsigned short value,
                                     unsigned width, unsigned height);
SIMGPU_EXPORT CUresult cuMemsetD2D16Async(CUdeviceptr dst, size_t dst_pitch, unsigned short value,
                                          size_t width, size_t height, CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD2D16Async_ptsz(CUdeviceptr dst, size_t dst_pitch,
                                               unsigned short value, size_t width, size_t height,
                                               CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD2D16_v2(CUdeviceptr dst, size_t dst_pitch, unsigned short value,
                                        size_t width, size_t height);
SIMGPU_EXPORT CUresult cuMemsetD2D16_v2_ptds(CUdeviceptr dst, size_t dst_pitch,
                                             unsigned short value, size_t width, size_t height);
SIMGPU_EXPORT CUresult cuMemsetD2D32(CUdeviceptr_v1 dst, unsigned dst_pitch, unsigned value,
                                     unsigned width, unsigned height);
SIMGPU_EXPORT CUresult cuMemsetD2D32Async(CUdeviceptr dst, size_t dst_pitch, unsigned value,
                                          size_t width, size_t height, CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD2D32Async_ptsz(CUdeviceptr dst, size_t dst_pitch, unsigned value,
                                               size_t width, size_t height, CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD2D32_v2(CUdeviceptr dst, size_t dst_pitch, unsigned value,
                                        size_t width, size_t height);
SIMGPU_EXPORT CUresult cuMemsetD2D32_v2_ptds(CUdeviceptr dst, size_t dst_pitch, unsigned value,
                                             size_t width, size_t height);
SIMGPU_EXPORT CUresult cuMemsetD2D8(CUdeviceptr_v1 dst, unsigned dst_pitch, unsigned char value,
                                    unsigned width, unsigned height);
SIMGPU_EXPORT CUresult cuMemsetD2D8Async(CUdeviceptr dst, size_t dst_pitch, unsigned char value,
                                         size_t width, size_t height, CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD2D8Async_ptsz(CUdeviceptr dst, size_t dst_pitch,
                                              unsigned char value, size_t width, size_t height,
                                              CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD2D8_v2(CUdeviceptr dst, size_t dst_pitch, unsigned char value,
                                       size_t width, size_t height);
SIMGPU_EXPORT CUresult cuMemsetD2D8_v2_ptds(CUdeviceptr dst, size_t dst_pitch, unsigned char value,
                                            size_t width, size_t height);
SIMGPU_EXPORT CUresult cuMemsetD32(CUdeviceptr_v1 dst, unsigned value, unsigned count);
SIMGPU_EXPORT CUresult cuMemsetD32Async(CUdeviceptr dst, unsigned value, size_t count,
                                        CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD32Async_ptsz(CUdeviceptr dst, unsigned value, size_t count,
                                             CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD32_v2(CUdeviceptr dst, unsigned value, size_t count);
SIMGPU_EXPORT CUresult cuMemsetD32_v2_ptds(CUdeviceptr dst, unsigned value, size_t count);
SIMGPU_EXPORT CUresult cuMemsetD8(CUdeviceptr_v1 dst, unsigned char value, unsigned count);
SIMGPU_EXPORT CUresult cuMemsetD8Async(CUdeviceptr dst, unsigned char value, size_t count,
                                       CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD8Async_ptsz(CUdeviceptr dst, unsigned char value, size_t count,
                                            CUstream stream);
SIMGPU_EXPORT CUresult cuMemsetD8_v2(CUdeviceptr dst, unsigned char value, size_t count);
SIMGPU_EXPORT CUresult cuMemsetD8_v2_ptds(CUdeviceptr dst, unsigned char value, size_t count);

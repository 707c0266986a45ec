// Streams, except capture (graph/capture_api.h).
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback,
                                           void* user_data, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamAddCallback_ptsz(CUstream stream, CUstreamCallback callback,
                                                void* user_data, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t length,
                                              unsigned flags);
SIMGPU_EXPORT CUresult cuStreamAttachMemAsync_ptsz(CUstream stream, CUdeviceptr pointer,
                                                   size_t length, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamBatchMemOp(CUstream stream, unsigned count,
                                          CUstreamBatchMemOpParams* param_array, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamBatchMemOp_ptsz(CUstream stream, unsigned count,
                                               CUstreamBatchMemOpParams* param_array,
                                               unsigned flags);
SIMGPU_EXPORT CUresult cuStreamBatchMemOp_v2(CUstream stream, unsigned count,
                                             CUstreamBatchMemOpParams* param_array, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamBatchMemOp_v2_ptsz(CUstream stream, unsigned count,
                                                  CUstreamBatchMemOpParams* param_array,
                                                  unsigned flags);
SIMGPU_EXPORT CUresult cuStreamCopyAttributes(CUstream dst_stream, CUstream src_stream);
SIMGPU_EXPORT CUresult cuStreamCopyAttributes_ptsz(CUstream dst, CUstream src);
SIMGPU_EXPORT CUresult cuStreamCreate(CUstream* stream, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority);
SIMGPU_EXPORT CUresult cuStreamDestroy(CUstream stream);
SIMGPU_EXPORT CUresult cuStreamDestroy_v2(CUstream stream);
SIMGPU_EXPORT CUresult cuStreamGetAttribute(CUstream stream, CUstreamAttrID attr,
                                            CUstreamAttrValue* value);
SIMGPU_EXPORT CUresult cuStreamGetAttribute_ptsz(CUstream stream, CUstreamAttrID attr,
                                                 CUstreamAttrValue* value);
SIMGPU_EXPORT CUresult cuStreamGetCtx(CUstream stream, CUcontext* context);
SIMGPU_EXPORT CUresult cuStreamGetCtx_ptsz(CUstream stream, CUcontext* context);
SIMGPU_EXPORT CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context,
                                         CUgreenCtx* green_ctx);
SIMGPU_EXPORT CUresult cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext* context,
                                              CUgreenCtx* green_ctx);
SIMGPU_EXPORT CUresult cuStreamGetDevice(CUstream stream, CUdevice* device);
SIMGPU_EXPORT CUresult cuStreamGetDevice_ptsz(CUstream stream, CUdevice* device);
SIMGPU_EXPORT CUresult cuStreamGetFlags(CUstream stream, unsigned* flags);
SIMGPU_EXPORT CUresult cuStreamGetFlags_ptsz(CUstream stream, unsigned* flags);
SIMGPU_EXPORT CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx* ctx);
SIMGPU_EXPORT CUresult cuStreamGetId(CUstream stream, unsigned long long* stream_id);
SIMGPU_EXPORT CUresult cuStreamGetId_ptsz(CUstream stream, unsigned long long* stream_id);
SIMGPU_EXPORT CUresult cuStreamGetPriority(CUstream stream, int* priority);
SIMGPU_EXPORT CUresult cuStreamGetPriority_ptsz(CUstream stream, int* priority);
SIMGPU_EXPORT CUresult cuStreamQuery(CUstream stream);
SIMGPU_EXPORT CUresult cuStreamQuery_ptsz(CUstream stream);
SIMGPU_EXPORT CUresult cuStreamSetAttribute(CUstream stream, CUstreamAttrID attr,
                                            const CUstreamAttrValue* param);
SIMGPU_EXPORT CUresult cuStreamSetAttribute_ptsz(CUstream stream, CUstreamAttrID attr,
                                                 const CUstreamAttrValue* value);
SIMGPU_EXPORT CUresult cuStreamSynchronize(CUstream stream);
SIMGPU_EXPORT CUresult cuStreamSynchronize_ptsz(CUstream stream);
SIMGPU_EXPORT CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr addr, uint32_t value,
                                           unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitValue32_ptsz(CUstream stream, CUdeviceptr addr, uint32_t value,
                                                unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr addr, uint32_t value,
                                              unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitValue32_v2_ptsz(CUstream stream, CUdeviceptr addr,
                                                   uint32_t value, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr addr, uint64_t value,
                                           unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitValue64_ptsz(CUstream stream, CUdeviceptr addr, uint64_t value,
                                                unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr addr, uint64_t value,
                                              unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWaitValue64_v2_ptsz(CUstream stream, CUdeviceptr addr,
                                                   uint64_t value, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr addr, uint32_t value,
                                            unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWriteValue32_ptsz(CUstream stream, CUdeviceptr addr, uint32_t value,
                                                 unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWriteValue32_v2(CUstream stream, CUdeviceptr addr, uint32_t value,
                                               unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWriteValue32_v2_ptsz(CUstream stream, CUdeviceptr addr,
                                                    uint32_t value, unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr addr, uint64_t value,
                                            unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWriteValue64_ptsz(CUstream stream, CUdeviceptr addr, uint64_t value,
                                                 unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWriteValue64_v2(CUstream stream, CUdeviceptr addr, uint64_t value,
                                               unsigned flags);
SIMGPU_EXPORT CUresult cuStreamWriteValue64_v2_ptsz(CUstream stream, CUdeviceptr addr,
                                                    uint64_t value, unsigned flags);

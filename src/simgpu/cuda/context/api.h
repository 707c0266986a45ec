// Contexts, primary contexts, green contexts.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuCtxAttach(CUcontext* context, unsigned flags);
SIMGPU_EXPORT CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device);
SIMGPU_EXPORT CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device);
SIMGPU_EXPORT CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* params_array,
                                      int num_params, unsigned flags, CUdevice device);
SIMGPU_EXPORT CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* ctx_create_params,
                                      unsigned flags, CUdevice device);
SIMGPU_EXPORT CUresult cuCtxDestroy(CUcontext context);
SIMGPU_EXPORT CUresult cuCtxDestroy_v2(CUcontext context);
SIMGPU_EXPORT CUresult cuCtxDetach(CUcontext context);
SIMGPU_EXPORT CUresult cuCtxDisablePeerAccess(CUcontext peer_context);
SIMGPU_EXPORT CUresult cuCtxEnablePeerAccess(CUcontext peer_context, unsigned flags);
SIMGPU_EXPORT CUresult cuCtxFromGreenCtx(CUcontext* context, CUgreenCtx ctx);
SIMGPU_EXPORT CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version);
SIMGPU_EXPORT CUresult cuCtxGetCacheConfig(CUfunc_cache* pconfig);
SIMGPU_EXPORT CUresult cuCtxGetCurrent(CUcontext* context);
SIMGPU_EXPORT CUresult cuCtxGetDevResource(CUcontext ctx, CUdevResource* resource,
                                           CUdevResourceType type);
SIMGPU_EXPORT CUresult cuCtxGetDevice(CUdevice* device);
SIMGPU_EXPORT CUresult cuCtxGetDevice_v2(CUdevice* device, CUcontext context);
SIMGPU_EXPORT CUresult cuCtxGetExecAffinity(CUexecAffinityParam* exec_affinity,
                                            CUexecAffinityType type);
SIMGPU_EXPORT CUresult cuCtxGetFlags(unsigned* flags);
SIMGPU_EXPORT CUresult cuCtxGetId(CUcontext context, unsigned long long* ctx_id);
SIMGPU_EXPORT CUresult cuCtxGetLimit(size_t* value, CUlimit limit);
SIMGPU_EXPORT CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config);
SIMGPU_EXPORT CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest);
SIMGPU_EXPORT CUresult cuCtxPopCurrent(CUcontext* context);
SIMGPU_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext* context);
SIMGPU_EXPORT CUresult cuCtxPushCurrent(CUcontext context);
SIMGPU_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context);
SIMGPU_EXPORT CUresult cuCtxRecordEvent(CUcontext ctx, CUevent event);
SIMGPU_EXPORT CUresult cuCtxResetPersistingL2Cache();
SIMGPU_EXPORT CUresult cuCtxSetCacheConfig(CUfunc_cache config);
SIMGPU_EXPORT CUresult cuCtxSetCurrent(CUcontext context);
SIMGPU_EXPORT CUresult cuCtxSetFlags(unsigned flags);
SIMGPU_EXPORT CUresult cuCtxSetLimit(CUlimit limit, size_t value);
SIMGPU_EXPORT CUresult cuCtxSetSharedMemConfig(CUsharedconfig config);
SIMGPU_EXPORT CUresult cuCtxSynchronize();
SIMGPU_EXPORT CUresult cuCtxSynchronize_v2(CUcontext context);
SIMGPU_EXPORT CUresult cuCtxWaitEvent(CUcontext ctx, CUevent event);
SIMGPU_EXPORT CUresult cuDevResourceGenerateDesc(CUdevResourceDesc* desc, CUdevResource* resources,
                                                 unsigned nb_resources);
SIMGPU_EXPORT CUresult cuDevSmResourceSplitByCount(CUdevResource* result, unsigned* nb_groups,
                                                   const CUdevResource* input,
                                                   CUdevResource* remaining, unsigned use_flags,
                                                   unsigned min_count);
SIMGPU_EXPORT CUresult cuDeviceGetDevResource(CUdevice device, CUdevResource* resource,
                                              CUdevResourceType type);
SIMGPU_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active);
SIMGPU_EXPORT CUresult cuDevicePrimaryCtxRelease(CUdevice device);
SIMGPU_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device);
SIMGPU_EXPORT CUresult cuDevicePrimaryCtxReset(CUdevice device);
SIMGPU_EXPORT CUresult cuDevicePrimaryCtxReset_v2(CUdevice device);
SIMGPU_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device);
SIMGPU_EXPORT CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags);
SIMGPU_EXPORT CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags);
SIMGPU_EXPORT CUresult cuGreenCtxCreate(CUgreenCtx* ctx, CUdevResourceDesc desc, CUdevice device,
                                        unsigned flags);
SIMGPU_EXPORT CUresult cuGreenCtxDestroy(CUgreenCtx ctx);
SIMGPU_EXPORT CUresult cuGreenCtxGetDevResource(CUgreenCtx ctx, CUdevResource* resource,
                                                CUdevResourceType type);
SIMGPU_EXPORT CUresult cuGreenCtxGetId(CUgreenCtx green_ctx, unsigned long long* green_ctx_id);
SIMGPU_EXPORT CUresult cuGreenCtxRecordEvent(CUgreenCtx ctx, CUevent event);
SIMGPU_EXPORT CUresult cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx green_ctx,
                                              unsigned flags, int priority);
SIMGPU_EXPORT CUresult cuGreenCtxWaitEvent(CUgreenCtx ctx, CUevent event);

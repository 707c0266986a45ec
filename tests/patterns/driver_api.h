// The driver as CUDA runtimes find it: one dlopen, one dlsym of cuGetProcAddress_v2, and everything
// else through that function, at the version each prototype below was introduced with.
#pragma once

#include "abi/driver/cuda_types.h"

namespace warpshare::patterns {

// One line a function: name, version asked for, parameters.
#define PATTERN_FUNCTIONS(X)                                                                     \
  X(cuInit, 2000, (unsigned flags))                                                              \
  X(cuDeviceGet, 2000, (CUdevice*, int))                                                         \
  X(cuDeviceGetUuid, 11040, (CUuuid*, CUdevice))                                                 \
  X(cuDeviceTotalMem, 3020, (size_t*, CUdevice))                                                 \
  X(cuDevicePrimaryCtxRetain, 7000, (CUcontext*, CUdevice))                                      \
  X(cuDevicePrimaryCtxRelease, 11000, (CUdevice))                                                \
  X(cuCtxSetCurrent, 4000, (CUcontext))                                                          \
  X(cuCtxSynchronize, 2000, ())                                                                  \
  X(cuMemGetInfo, 3020, (size_t*, size_t*))                                                      \
  X(cuMemAlloc, 3020, (CUdeviceptr*, size_t))                                                    \
  X(cuMemAllocPitch, 3020, (CUdeviceptr*, size_t*, size_t, size_t, unsigned))                    \
  X(cuMemAllocManaged, 6000, (CUdeviceptr*, size_t, unsigned))                                   \
  X(cuMemFree, 3020, (CUdeviceptr))                                                              \
  X(cuMemGetAddressRange, 3020, (CUdeviceptr*, size_t*, CUdeviceptr))                            \
  X(cuMemcpyHtoD, 3020, (CUdeviceptr, const void*, size_t))                                      \
  X(cuMemcpyDtoH, 3020, (void*, CUdeviceptr, size_t))                                            \
  X(cuMemcpyHtoDAsync, 3020, (CUdeviceptr, const void*, size_t, CUstream))                       \
  X(cuMemcpyDtoDAsync, 3020, (CUdeviceptr, CUdeviceptr, size_t, CUstream))                       \
  X(cuMemsetD8, 3020, (CUdeviceptr, unsigned char, size_t))                                      \
  X(cuMemsetD8Async, 3020, (CUdeviceptr, unsigned char, size_t, CUstream))                       \
  X(cuArray3DCreate, 3020, (CUarray*, const CUDA_ARRAY3D_DESCRIPTOR*))                           \
  X(cuArrayDestroy, 2000, (CUarray))                                                             \
  X(cuMemAddressReserve, 10020, (CUdeviceptr*, size_t, size_t, CUdeviceptr, unsigned long long)) \
  X(cuMemAddressFree, 10020, (CUdeviceptr, size_t))                                              \
  X(cuMemCreate, 10020,                                                                          \
    (CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*, unsigned long long))     \
  X(cuMemRelease, 10020, (CUmemGenericAllocationHandle))                                         \
  X(cuMemMap, 10020,                                                                             \
    (CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle, unsigned long long))             \
  X(cuMemUnmap, 10020, (CUdeviceptr, size_t))                                                    \
  X(cuMemSetAccess, 10020, (CUdeviceptr, size_t, const CUmemAccessDesc*, size_t))                \
  X(cuMemGetAllocationGranularity, 10020,                                                        \
    (size_t*, const CUmemAllocationProp*, CUmemAllocationGranularity_flags))                     \
  X(cuMemRetainAllocationHandle, 11000, (CUmemGenericAllocationHandle*, void*))                  \
  X(cuMemExportToShareableHandle, 10020,                                                         \
    (void*, CUmemGenericAllocationHandle, CUmemAllocationHandleType, unsigned long long))        \
  X(cuMemImportFromShareableHandle, 10020,                                                       \
    (CUmemGenericAllocationHandle*, void*, CUmemAllocationHandleType))                           \
  X(cuMemAllocAsync, 11020, (CUdeviceptr*, size_t, CUstream))                                    \
  X(cuMemAllocFromPoolAsync, 11020, (CUdeviceptr*, size_t, CUmemoryPool, CUstream))              \
  X(cuMemFreeAsync, 11020, (CUdeviceptr, CUstream))                                              \
  X(cuDeviceGetDefaultMemPool, 11020, (CUmemoryPool*, CUdevice))                                 \
  X(cuMemPoolCreate, 11020, (CUmemoryPool*, const CUmemPoolProps*))                              \
  X(cuMemPoolDestroy, 11020, (CUmemoryPool))                                                     \
  X(cuMemPoolSetAttribute, 11020, (CUmemoryPool, CUmemPool_attribute, void*))                    \
  X(cuMemPoolGetAttribute, 11020, (CUmemoryPool, CUmemPool_attribute, void*))                    \
  X(cuMemPoolTrimTo, 11020, (CUmemoryPool, size_t))                                              \
  X(cuIpcGetMemHandle, 4010, (CUipcMemHandle*, CUdeviceptr))                                     \
  X(cuIpcOpenMemHandle, 11000, (CUdeviceptr*, CUipcMemHandle, unsigned))                         \
  X(cuIpcCloseMemHandle, 4010, (CUdeviceptr))                                                    \
  X(cuIpcGetEventHandle, 4010, (CUipcEventHandle*, CUevent))                                     \
  X(cuIpcOpenEventHandle, 4010, (CUevent*, CUipcEventHandle))                                    \
  X(cuStreamCreateWithPriority, 5050, (CUstream*, unsigned, int))                                \
  X(cuStreamDestroy, 4000, (CUstream))                                                           \
  X(cuStreamSynchronize, 2000, (CUstream))                                                       \
  X(cuStreamBeginCapture, 10010, (CUstream, CUstreamCaptureMode))                                \
  X(cuStreamEndCapture, 10000, (CUstream, CUgraph*))                                             \
  X(cuStreamIsCapturing, 10000, (CUstream, CUstreamCaptureStatus*))                              \
  X(cuGraphInstantiateWithFlags, 11040, (CUgraphExec*, CUgraph, unsigned long long))             \
  X(cuGraphLaunch, 10000, (CUgraphExec, CUstream))                                               \
  X(cuGraphExecDestroy, 10000, (CUgraphExec))                                                    \
  X(cuGraphDestroy, 10000, (CUgraph))                                                            \
  X(cuDeviceGraphMemTrim, 11040, (CUdevice))                                                     \
  X(cuEventCreate, 2000, (CUevent*, unsigned))                                                   \
  X(cuEventRecord, 2000, (CUevent, CUstream))                                                    \
  X(cuEventSynchronize, 2000, (CUevent))                                                         \
  X(cuEventElapsedTime, 2000, (float*, CUevent, CUevent))                                        \
  X(cuEventDestroy, 4000, (CUevent))                                                             \
  X(cuLibraryLoadData, 12000,                                                                    \
    (CUlibrary*, const void*, CUjit_option*, void**, unsigned, CUlibraryOption*, void**,         \
     unsigned))                                                                                  \
  X(cuLibraryGetKernel, 12000, (CUkernel*, CUlibrary, const char*))                              \
  X(cuLibraryUnload, 12000, (CUlibrary))                                                         \
  X(cuKernelGetFunction, 12000, (CUfunction*, CUkernel))                                         \
  X(cuLaunchKernel, 4000,                                                                        \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
     void**, void**))                                                                            \
  X(cuLaunchKernelEx, 11060, (const CUlaunchConfig*, CUfunction, void**, void**))

struct DriverApi {
#define DECLARE(name, version, parameters) CUresult(*name) parameters = nullptr;
  PATTERN_FUNCTIONS(DECLARE)
#undef DECLARE
  CUresult (*lookup)(const char*, void**, int, cuuint64_t,
                     CUdriverProcAddressQueryResult*) = nullptr;
};

// Fills `api`; false, with the reason on stderr, when the driver or one of its functions is
// missing.
bool LoadDriver(DriverApi& api);

}  // namespace warpshare::patterns

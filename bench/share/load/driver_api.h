// The driver functions that the load program calls, by the names that libcuda.so.1 exports them
// under.
#pragma once

#include "abi/driver/cuda_types.h"

namespace warpshare::load {

// One line a function: member, exported symbol, parameters.
#define LOAD_FUNCTIONS(X)                                                                        \
  X(Init, cuInit, (unsigned))                                                                    \
  X(DeviceGetAttribute, cuDeviceGetAttribute, (int*, CUdevice_attribute, CUdevice))              \
  X(PrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext*, CUdevice))                          \
  X(CtxSetCurrent, cuCtxSetCurrent, (CUcontext))                                                 \
  X(CtxSynchronize, cuCtxSynchronize, ())                                                        \
  X(ModuleLoadData, cuModuleLoadData, (CUmodule*, const void*))                                  \
  X(ModuleGetFunction, cuModuleGetFunction, (CUfunction*, CUmodule, const char*))                \
  X(LaunchKernel, cuLaunchKernel,                                                                \
    (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, \
     void**, void**))                                                                            \
  X(LaunchHostFunc, cuLaunchHostFunc, (CUstream, CUhostFn, void*))                               \
  X(StreamCreate, cuStreamCreate, (CUstream*, unsigned))                                         \
  X(StreamGetCtx, cuStreamGetCtx, (CUstream, CUcontext*))                                        \
  X(StreamIsCapturing, cuStreamIsCapturing, (CUstream, CUstreamCaptureStatus*))                  \
  X(StreamSynchronize, cuStreamSynchronize, (CUstream))                                          \
  X(StreamWaitEvent, cuStreamWaitEvent, (CUstream, CUevent, unsigned))                           \
  X(StreamWaitValue32, cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned))      \
  X(StreamWriteValue32, cuStreamWriteValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned))    \
  X(StreamBeginCapture, cuStreamBeginCapture_v2, (CUstream, CUstreamCaptureMode))                \
  X(StreamEndCapture, cuStreamEndCapture, (CUstream, CUgraph*))                                  \
  X(GraphInstantiate, cuGraphInstantiateWithFlags, (CUgraphExec*, CUgraph, unsigned long long))  \
  X(GraphLaunch, cuGraphLaunch, (CUgraphExec, CUstream))                                         \
  X(EventCreate, cuEventCreate, (CUevent*, unsigned))                                            \
  X(EventQuery, cuEventQuery, (CUevent))                                                         \
  X(EventRecord, cuEventRecord, (CUevent, CUstream))                                             \
  X(EventSynchronize, cuEventSynchronize, (CUevent))                                             \
  X(EventElapsedTime, cuEventElapsedTime, (float*, CUevent, CUevent))                            \
  X(MemAlloc, cuMemAlloc_v2, (CUdeviceptr*, size_t))                                             \
  X(MemHostAlloc, cuMemHostAlloc, (void**, size_t, unsigned))                                    \
  X(MemHostRegister, cuMemHostRegister_v2, (void*, size_t, unsigned))                            \
  X(MemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, (CUdeviceptr*, void*, unsigned))      \
  X(MemcpyHtoD, cuMemcpyHtoD_v2, (CUdeviceptr, const void*, size_t))                             \
  X(MemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, (CUdeviceptr, const void*, size_t, CUstream))         \
  X(MemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void*, CUdeviceptr, size_t, CUstream))

struct Driver {
#define DECLARE(member, symbol, parameters) CUresult(*member) parameters = nullptr;
  LOAD_FUNCTIONS(DECLARE)
#undef DECLARE
};

// As the loader finds it; ends the program with a sentence where something is missing.
Driver OpenDriver();

// Ends the program unless `result` is success.
void Check(CUresult result, const char* what);

}  // namespace warpshare::load

// The driver as the tenant program reaches it: by one of the routes that programs use.
#pragma once

#include <stddef.h>

#include "abi/driver/cuda_types.h"
#include "abi/driver/nvml_types.h"

namespace warpshare::testing {

struct DriverCalls {
  CUresult (*Init)(unsigned);
  CUresult (*DeviceGetCount)(int*);
  CUresult (*DeviceGet)(CUdevice*, int);
  CUresult (*DeviceGetUuid)(CUuuid*, CUdevice);
  CUresult (*DeviceTotalMem)(size_t*, CUdevice);
  CUresult (*PrimaryCtxRetain)(CUcontext*, CUdevice);
  CUresult (*CtxSetCurrent)(CUcontext);
  CUresult (*MemAlloc)(CUdeviceptr*, size_t);
  CUresult (*MemFree)(CUdeviceptr);
  CUresult (*MemGetInfo)(size_t*, size_t*);
  CUresult (*MemCreate)(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*,
                        unsigned long long);
  CUresult (*ModuleLoadData)(CUmodule*, const void*);
  CUresult (*ModuleGetFunction)(CUfunction*, CUmodule, const char*);
  CUresult (*LaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           unsigned, CUstream, void**, void**);
};

// Routes: linked (the program needs libcuda.so.1 itself), dlopen, local, deepbind (dlsym of each
// symbol), lookup1, lookup2 (everything by cuGetProcAddress, as CUDA runtimes do). False if the
// driver cannot be had.
bool FindDriverCalls(const char* route, DriverCalls& calls);

}  // namespace warpshare::testing

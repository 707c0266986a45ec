// The functions that are measured, of the driver itself and of the interposer in front of it.
#pragma once

#include <string>

#include "abi/driver/cuda_types.h"

namespace warpshare::bench {

struct Driver {
  CUresult (*Init)(unsigned);
  CUresult (*DeviceGetCount)(int*);
  CUresult (*DeviceGetUuid)(CUuuid*, CUdevice);
  CUresult (*PrimaryCtxRetain)(CUcontext*, CUdevice);
  CUresult (*CtxSetCurrent)(CUcontext);
  CUresult (*CtxGetDevice)(CUdevice*);
  CUresult (*CtxSynchronize)();
  CUresult (*MemAlloc)(CUdeviceptr*, size_t);
  CUresult (*MemFree)(CUdeviceptr);
  CUresult (*MemAllocPitch)(CUdeviceptr*, size_t*, size_t, size_t, unsigned);
  CUresult (*MemAllocAsync)(CUdeviceptr*, size_t, CUstream);
  CUresult (*MemFreeAsync)(CUdeviceptr, CUstream);
  CUresult (*GetDefaultMemPool)(CUmemoryPool*, CUdevice);
  CUresult (*MemPoolSetAttribute)(CUmemoryPool, CUmemPool_attribute, void*);
  CUresult (*MemCreate)(CUmemGenericAllocationHandle*, size_t, const CUmemAllocationProp*,
                        unsigned long long);
  CUresult (*MemRelease)(CUmemGenericAllocationHandle);
  CUresult (*ArrayCreate)(CUarray*, const CUDA_ARRAY_DESCRIPTOR*);
  CUresult (*ArrayDestroy)(CUarray);
  CUresult (*MemGetInfo)(size_t*, size_t*);
  CUresult (*ModuleLoadData)(CUmodule*, const void*);
  CUresult (*ModuleGetFunction)(CUfunction*, CUmodule, const char*);
  CUresult (*LaunchKernel)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           unsigned, CUstream, void**, void**);
  const double* displacing_ns;  // displace.h; null of any other driver
};

// Of libcuda.so.1 in `folder`; ends the program with a sentence if it is not there.
Driver OpenDriver(const std::string& folder);

// Ends the program unless `result` is success.
void Check(CUresult result, const char* what);

}  // namespace warpshare::bench

// Signatures of driver functions that the interposer calls besides the one it stands in front of.
// For REAL(f) only: a direct call would go to our own export. Append what you need, in the order of
// entry_points.def.
#pragma once

#include "abi/driver/cuda_driver.h"
#include "abi/driver/cuda_types.h"

#pragma GCC visibility push(default)
extern "C" {

CUresult cuGetProcAddress(const char* symbol, void** function, int version, cuuint64_t flags);
CUresult cuInit(unsigned int flags);

CUresult cuDeviceGetCount(int* count);
CUresult cuDeviceGet(CUdevice* device, int ordinal);
CUresult cuDeviceGetUuid(CUuuid* uuid, CUdevice device);
CUresult cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice device);
CUresult cuCtxGetDevice(CUdevice* device);

CUresult cuMemGetInfo_v2(size_t* free_bytes, size_t* total_bytes);

}  // extern "C"
#pragma GCC visibility pop

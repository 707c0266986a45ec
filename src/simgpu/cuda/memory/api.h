// Linear memory: device, managed, host.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuMemAlloc(CUdeviceptr_v1* pointer, unsigned bytes);
SIMGPU_EXPORT CUresult cuMemAllocHost(void** pointer, unsigned bytes);
SIMGPU_EXPORT CUresult cuMemAllocHost_v2(void** pointer, size_t bytes);
SIMGPU_EXPORT CUresult cuMemAllocManaged(CUdeviceptr* pointer, size_t bytes, unsigned flags);
SIMGPU_EXPORT CUresult cuMemAllocPitch(CUdeviceptr_v1* pointer, unsigned* pitch,
                                       unsigned width_in_bytes, unsigned height,
                                       unsigned element_bytes);
SIMGPU_EXPORT CUresult cuMemAllocPitch_v2(CUdeviceptr* pointer, size_t* pitch,
                                          size_t width_in_bytes, size_t height,
                                          unsigned element_bytes);
SIMGPU_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr* pointer, size_t bytes);
SIMGPU_EXPORT CUresult cuMemFree(CUdeviceptr_v1 pointer);
SIMGPU_EXPORT CUresult cuMemFreeHost(void* pointer);
SIMGPU_EXPORT CUresult cuMemFree_v2(CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuMemGetAddressRange(CUdeviceptr_v1* base, unsigned* size,
                                            CUdeviceptr_v1 pointer);
SIMGPU_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* size,
                                               CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuMemGetInfo(unsigned* free, unsigned* total);
SIMGPU_EXPORT CUresult cuMemGetInfo_v2(size_t* free, size_t* total);
SIMGPU_EXPORT CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags);
SIMGPU_EXPORT CUresult cuMemHostGetDevicePointer(CUdeviceptr_v1* pointer, void* host,
                                                 unsigned flags);
SIMGPU_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pointer, void* host,
                                                    unsigned flags);
SIMGPU_EXPORT CUresult cuMemHostGetFlags(unsigned* flags, void* pointer);
SIMGPU_EXPORT CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned flags);
SIMGPU_EXPORT CUresult cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned flags);
SIMGPU_EXPORT CUresult cuMemHostUnregister(void* pointer);

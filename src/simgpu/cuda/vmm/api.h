// Virtual memory management: physical allocations, reservations, mappings.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size);
SIMGPU_EXPORT CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t size, size_t alignment,
                                           CUdeviceptr addr, unsigned long long flags);
SIMGPU_EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                                   const CUmemAllocationProp* prop, unsigned long long flags);
SIMGPU_EXPORT CUresult cuMemExportToShareableHandle(void* shareable,
                                                    CUmemGenericAllocationHandle handle,
                                                    CUmemAllocationHandleType handle_type,
                                                    unsigned long long flags);
SIMGPU_EXPORT CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                                      CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuMemGetAllocationGranularity(size_t* granularity,
                                                     const CUmemAllocationProp* prop,
                                                     CUmemAllocationGranularity_flags option);
SIMGPU_EXPORT CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop,
                                                              CUmemGenericAllocationHandle handle);
SIMGPU_EXPORT CUresult cuMemGetHandleForAddressRange(void* handle, CUdeviceptr pointer, size_t size,
                                                     CUmemRangeHandleType handle_type,
                                                     unsigned long long flags);
SIMGPU_EXPORT CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* handle,
                                                      void* os_handle,
                                                      CUmemAllocationHandleType handle_type);
SIMGPU_EXPORT CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset,
                                CUmemGenericAllocationHandle handle, unsigned long long flags);
SIMGPU_EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
SIMGPU_EXPORT CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle,
                                                   void* addr);
SIMGPU_EXPORT CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc* desc,
                                      size_t count);
SIMGPU_EXPORT CUresult cuMemUnmap(CUdeviceptr pointer, size_t size);

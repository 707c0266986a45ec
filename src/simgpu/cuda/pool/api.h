// Stream-ordered allocation and its pools.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device);
SIMGPU_EXPORT CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool);
SIMGPU_EXPORT CUresult cuMemAllocAsync(CUdeviceptr* pointer, size_t bytes, CUstream stream);
SIMGPU_EXPORT CUresult cuMemAllocAsync_ptsz(CUdeviceptr* pointer, size_t bytes, CUstream stream);
SIMGPU_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr* pointer, size_t bytes,
                                               CUmemoryPool pool, CUstream stream);
SIMGPU_EXPORT CUresult cuMemAllocFromPoolAsync_ptsz(CUdeviceptr* pointer, size_t bytes,
                                                    CUmemoryPool pool, CUstream stream);
SIMGPU_EXPORT CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
SIMGPU_EXPORT CUresult cuMemFreeAsync_ptsz(CUdeviceptr pointer, CUstream stream);
SIMGPU_EXPORT CUresult cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                              CUmemAllocationType type);
SIMGPU_EXPORT CUresult cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                       CUmemAllocationType type);
SIMGPU_EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props);
SIMGPU_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool);
SIMGPU_EXPORT CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool,
                                                        CUmemAllocationHandleType handle_type,
                                                        unsigned long long flags);
SIMGPU_EXPORT CUresult cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool pool,
                                          CUmemLocation* location);
SIMGPU_EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value);
SIMGPU_EXPORT CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle,
                                                          CUmemAllocationHandleType handle_type,
                                                          unsigned long long flags);
SIMGPU_EXPORT CUresult cuMemPoolImportPointer(CUdeviceptr* pointer, CUmemoryPool pool,
                                              CUmemPoolPtrExportData* data);
SIMGPU_EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* map,
                                          size_t count);
SIMGPU_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attr,
                                             void* value);
SIMGPU_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes_to_keep);
SIMGPU_EXPORT CUresult cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type,
                                       CUmemoryPool pool);

// What is known of a pointer; advice on managed memory.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuMemAdvise(CUdeviceptr pointer, size_t count, CUmem_advise advice,
                                   CUdevice device);
SIMGPU_EXPORT CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t count, CUmem_advise advice,
                                      CUmemLocation location);
SIMGPU_EXPORT CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes,
                                                         size_t count, CUmemLocation* locations,
                                                         size_t* location_starts,
                                                         size_t num_locations,
                                                         unsigned long long flags, CUstream stream);
SIMGPU_EXPORT CUresult cuMemDiscardAndPrefetchBatchAsync_ptsz(
    CUdeviceptr* pointers, size_t* sizes, size_t count, CUmemLocation* locations,
    size_t* location_starts, size_t num_locations, unsigned long long flags, CUstream stream);
SIMGPU_EXPORT CUresult cuMemDiscardBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                              unsigned long long flags, CUstream stream);
SIMGPU_EXPORT CUresult cuMemDiscardBatchAsync_ptsz(CUdeviceptr* pointers, size_t* sizes,
                                                   size_t count, unsigned long long flags,
                                                   CUstream stream);
SIMGPU_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t count, CUdevice dst,
                                          CUstream stream);
SIMGPU_EXPORT CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr pointer, size_t count, CUdevice dst,
                                               CUstream stream);
SIMGPU_EXPORT CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t count,
                                             CUmemLocation location, unsigned flags,
                                             CUstream stream);
SIMGPU_EXPORT CUresult cuMemPrefetchAsync_v2_ptsz(CUdeviceptr pointer, size_t count,
                                                  CUmemLocation location, unsigned flags,
                                                  CUstream stream);
SIMGPU_EXPORT CUresult cuMemPrefetchBatchAsync(CUdeviceptr* pointers, size_t* sizes, size_t count,
                                               CUmemLocation* locations, size_t* location_starts,
                                               size_t num_locations, unsigned long long flags,
                                               CUstream stream);
SIMGPU_EXPORT CUresult cuMemPrefetchBatchAsync_ptsz(CUdeviceptr* pointers, size_t* sizes,
                                                    size_t count, CUmemLocation* locations,
                                                    size_t* location_starts, size_t num_locations,
                                                    unsigned long long flags, CUstream stream);
SIMGPU_EXPORT CUresult cuMemRangeGetAttribute(void* data, size_t data_size,
                                              CUmem_range_attribute attribute, CUdeviceptr pointer,
                                              size_t count);
SIMGPU_EXPORT CUresult cuMemRangeGetAttributes(void** data, size_t* data_sizes,
                                               CUmem_range_attribute* attributes,
                                               size_t num_attributes, CUdeviceptr pointer,
                                               size_t count);
SIMGPU_EXPORT CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute,
                                             CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuPointerGetAttributes(unsigned num_attributes,
                                              CUpointer_attribute* attributes, void** data,
                                              CUdeviceptr pointer);
SIMGPU_EXPORT CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                             CUdeviceptr pointer);

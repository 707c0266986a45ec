// cuGetProcAddress, both versions.
#pragma once

#include "abi/driver/cuda_types.h"
#include "simgpu/cuda/export.h"

SIMGPU_EXPORT CUresult cuGetProcAddress(const char* symbol, void** address, int cuda_version,
                                        uint64_t flags);
SIMGPU_EXPORT CUresult cuGetProcAddress_v2(const char* symbol, void** address, int cuda_version,
                                           uint64_t flags,
                                           CUdriverProcAddressQueryResult* symbol_status);

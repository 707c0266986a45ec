// What the program said of its managed memory, by allocation. All functions are thread-safe, and
// give CUDA_ERROR_INVALID_VALUE for ranges that are not inside one managed allocation.
#pragma once

#include <cstddef>

#include "simgpu/cuda/pointer/advice.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

CUresult Advise(CUdeviceptr pointer, size_t count, CUmem_advise what,
                const CUmemLocation& location);
CUresult NotePrefetch(CUdeviceptr pointer, size_t count, const CUmemLocation& location);
CUresult CheckManaged(CUdeviceptr pointer, size_t count);
CUresult AdviceOf(CUdeviceptr pointer, size_t count, Advice* advice);

// How the functions before CUDA 12.2 name places: by device alone, the host being CU_DEVICE_CPU.
CUmemLocation LocationOf(CUdevice device);
CUdevice DeviceOf(const Location& location);  // CU_DEVICE_INVALID for nowhere

}  // namespace simgpu::cuda

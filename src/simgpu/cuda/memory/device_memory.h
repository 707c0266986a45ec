// Memory of a card as cuMemAlloc gives it: for the exported functions here, and for whatever else
// lives in a context and takes card memory (module variables, mipmaps).
#pragma once

#include "simgpu/cuda/memory/allocation.h"

namespace simgpu::cuda {

class Context;

struct DeviceRequest {
  size_t bytes = 0;
  Origin origin = Origin::kDevice;
  unsigned flags = 0;
};

// Charged to this process at once and given back with the context at the latest.
// CUDA_ERROR_OUT_OF_MEMORY when it does not fit; then nothing has changed.
CUresult AllocateDevice(Context& context, const DeviceRequest& request, CUdeviceptr* pointer);

// Gives back what AllocateDevice gave under that origin. CUDA_ERROR_INVALID_VALUE for anything
// else. Does not wait for work that uses it.
CUresult FreeDevice(CUdeviceptr pointer, Origin origin);

// The same in the first 4 GiB of addresses, where the functions of CUDA 2.0 can name it.
CUresult AllocateLow(Context& context, size_t bytes, CUdeviceptr_v1* pointer);

// What cuMemFree does: any origin that it may be given, whether linear, pool or imported memory.
// Waits for the context's work, except for pool memory.
CUresult FreeLinear(CUdeviceptr pointer);

}  // namespace simgpu::cuda

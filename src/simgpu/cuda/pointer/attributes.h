// What cuPointerGetAttribute and its plural tell of an address.
#pragma once

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// Writes the attribute's value in its own type (booleans as int). CUDA_ERROR_INVALID_VALUE when the
// driver does not know the address, or the attribute has no value for that kind of memory.
CUresult ReadPointerAttribute(CUpointer_attribute attribute, CUdeviceptr pointer, void* data);

// The value that the plural form gives for an address of which nothing is known.
CUresult WriteNullAttribute(CUpointer_attribute attribute, void* data);

}  // namespace simgpu::cuda

// Device images that are named by a file.
#pragma once

#include <string>

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// CUDA_ERROR_FILE_NOT_FOUND; CUDA_ERROR_INVALID_IMAGE for an empty file. Ends with a zero byte.
CUresult ReadImage(const char* path, std::string* image);

}  // namespace simgpu::cuda

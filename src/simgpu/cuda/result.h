// What every driver function needs to answer: the declared types, the check that the process may
// use the driver at all, and a short way to hand an error on.
#pragma once

#include "abi/driver/cuda_types.h"

// Returns from the calling function with the error that `expression` gives, if it is one.
#define SIMGPU_TRY(expression) \
  if (const CUresult simgpu_error = (expression); simgpu_error != CUDA_SUCCESS) return simgpu_error

// Returns from the calling function with `error` unless `condition` holds.
#define SIMGPU_REQUIRE(condition, error) \
  if (!(condition)) return error

namespace simgpu::cuda {

// CUDA_SUCCESS once cuInit has succeeded in this process. CUDA_ERROR_NOT_INITIALIZED before that
// and in a child forked from a process that had called it: nothing works there, as on the real
// driver. Costs two loads.
CUresult Ready();

}  // namespace simgpu::cuda

// A weak function for every symbol the driver exports: whatever no topic folder implements answers
// CUDA_ERROR_NOT_SUPPORTED. Arguments are ignored, so that one function serves all (x86-64 and
// arm64 leave cleaning up to the caller).
#include "simgpu/cuda/result.h"

extern "C" {

__attribute__((visibility("hidden"))) CUresult SimgpuNotSupported() {
  SIMGPU_TRY(simgpu::cuda::Ready());
  return CUDA_ERROR_NOT_SUPPORTED;
}

#define CUDA_ENTRY(symbol, proc_name, since, stream_mode, effect, handling) \
  __attribute__((weak, visibility("default"), alias("SimgpuNotSupported"))) CUresult symbol();
#include "abi/driver/entry_points.def"

}  // extern "C"

#include "simgpu/cuda/context/limits.h"

namespace simgpu::cuda {
namespace {

// What an A100 answers in a fresh context.
constexpr size_t kDefaults[CU_LIMIT_MAX] = {
    1024,     // CU_LIMIT_STACK_SIZE
    7340032,  // CU_LIMIT_PRINTF_FIFO_SIZE
    8388608,  // CU_LIMIT_MALLOC_HEAP_SIZE
    2,        // CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH
    2048,     // CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT
    64,       // CU_LIMIT_MAX_L2_FETCH_GRANULARITY
    0,        // CU_LIMIT_PERSISTING_L2_CACHE_SIZE
    0,        // CU_LIMIT_SHMEM_SIZE
    0,        // CU_LIMIT_CIG_ENABLED
    0,        // CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED
};

bool IsKnown(CUlimit limit) { return limit >= 0 && limit < CU_LIMIT_MAX; }

// Limits of graphics interop, which is not simulated.
bool IsUnsupported(CUlimit limit) { return limit >= CU_LIMIT_SHMEM_SIZE; }

constexpr size_t RoundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

Limits::Limits() {
  for (size_t i = 0; i < values_.size(); ++i) values_[i] = kDefaults[i];
}

CUresult Limits::Get(CUlimit limit, size_t* value) const {
  SIMGPU_REQUIRE(value != nullptr && IsKnown(limit), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(!IsUnsupported(limit), CUDA_ERROR_UNSUPPORTED_LIMIT);
  *value = values_[limit];
  return CUDA_SUCCESS;
}

CUresult Limits::Set(CUlimit limit, size_t value) {
  SIMGPU_REQUIRE(IsKnown(limit), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(!IsUnsupported(limit), CUDA_ERROR_UNSUPPORTED_LIMIT);
  switch (limit) {
    case CU_LIMIT_STACK_SIZE:
      SIMGPU_REQUIRE(value <= 512 * 1024, CUDA_ERROR_INVALID_VALUE);
      value = RoundUp(value, 16);
      break;
    case CU_LIMIT_MAX_L2_FETCH_GRANULARITY:
      SIMGPU_REQUIRE(value <= 128, CUDA_ERROR_INVALID_VALUE);
      value = value <= 32 ? 32 : (value <= 64 ? 64 : 128);
      break;
    case CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH:
      SIMGPU_REQUIRE(value <= 24, CUDA_ERROR_INVALID_VALUE);
      break;
    default:
      break;
  }
  values_[limit] = value;
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

#include "simgpu/cuda/module/attributes.h"

#include "simgpu/cuda/device/visible.h"

namespace simgpu::cuda {
namespace {

// What every simulated kernel claims to need; nothing is known of its code.
constexpr int kRegisters = 32;
constexpr int kMaxThreads = 1024;
constexpr int kMaxDynamicShared = 48 * 1024;
constexpr int kMaxDynamicSharedOptIn = 166'912 - 1024;

bool IsKnown(CUfunction_attribute attribute) {
  return attribute >= 0 && attribute < CU_FUNC_ATTRIBUTE_MAX;
}

}  // namespace

FunctionAttributes::FunctionAttributes(int card) {
  const world::CardSpec& spec = SpecOf(card);
  const int version = spec.compute_major * 10 + spec.compute_minor;
  for (auto& value : values_) value = 0;
  values_[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = kMaxThreads;
  values_[CU_FUNC_ATTRIBUTE_NUM_REGS] = kRegisters;
  values_[CU_FUNC_ATTRIBUTE_PTX_VERSION] = version;
  values_[CU_FUNC_ATTRIBUTE_BINARY_VERSION] = version;
  values_[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = kMaxDynamicShared;
  values_[CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = CU_SHAREDMEM_CARVEOUT_DEFAULT;
}

CUresult FunctionAttributes::Get(CUfunction_attribute attribute, int* value) const {
  SIMGPU_REQUIRE(value != nullptr && IsKnown(attribute), CUDA_ERROR_INVALID_VALUE);
  *value = values_[attribute];
  return CUDA_SUCCESS;
}

CUresult FunctionAttributes::Set(CUfunction_attribute attribute, int value) {
  int highest = 0;
  int lowest = 0;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      highest = kMaxDynamicSharedOptIn;
      break;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      lowest = CU_SHAREDMEM_CARVEOUT_DEFAULT;
      highest = CU_SHAREDMEM_CARVEOUT_MAX_SHARED;
      break;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      highest = 16;
      break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      highest = 1;
      break;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      highest = CU_CLUSTER_SCHEDULING_POLICY_LOAD_BALANCING;
      break;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  SIMGPU_REQUIRE(value >= lowest && value <= highest, CUDA_ERROR_INVALID_VALUE);
  values_[attribute] = value;
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

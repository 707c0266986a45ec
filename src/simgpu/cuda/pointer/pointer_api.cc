#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/pointer/api.h"
#include "simgpu/cuda/pointer/attributes.h"

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuPointerGetAttribute(void* data, CUpointer_attribute attribute,
                                             CUdeviceptr pointer) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(data != nullptr, CUDA_ERROR_INVALID_VALUE);
  return ReadPointerAttribute(attribute, pointer, data);
}

// Unlike the singular, it answers with null values where there is nothing to tell.
SIMGPU_EXPORT CUresult cuPointerGetAttributes(unsigned num_attributes,
                                              CUpointer_attribute* attributes, void** data,
                                              CUdeviceptr pointer) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(num_attributes != 0 && attributes != nullptr && data != nullptr,
                 CUDA_ERROR_INVALID_VALUE);
  for (unsigned i = 0; i < num_attributes; i++) {
    SIMGPU_REQUIRE(data[i] != nullptr && attributes[i] != CU_POINTER_ATTRIBUTE_P2P_TOKENS,
                   CUDA_ERROR_INVALID_VALUE);
    if (ReadPointerAttribute(attributes[i], pointer, data[i]) == CUDA_SUCCESS) continue;
    SIMGPU_TRY(WriteNullAttribute(attributes[i], data[i]));
  }
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                             CUdeviceptr pointer) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(value != nullptr && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS,
                 CUDA_ERROR_INVALID_VALUE);
  const bool enabled = *static_cast<const unsigned*>(value) != 0;
  SIMGPU_REQUIRE(AllocationMap::Instance().Update(
                     pointer, [enabled](Allocation& it) { it.sync_memops = enabled; }),
                 CUDA_ERROR_INVALID_VALUE);
  return enabled ? context->Synchronize() : CUDA_SUCCESS;
}

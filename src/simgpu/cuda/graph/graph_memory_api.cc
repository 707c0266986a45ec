// The memory that a device keeps for graphs.
#include <cstdint>

#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/graph/graph_memory.h"
#include "simgpu/cuda/graph/user_object_api.h"

using simgpu::cuda::CardOf;
using simgpu::cuda::GraphMemoryUse;

CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(value != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphMemoryUse use = simgpu::cuda::GraphMemoryUseOf(card);
  auto* const out = static_cast<uint64_t*>(value);
  switch (attr) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
      *out = use.used;
      return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
      *out = use.used_high;
      return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
      *out = use.reserved;
      return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
      *out = use.reserved_high;
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

// Only the high-water marks can be set, and only to zero, which means: to what is used now.
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void* value) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(value != nullptr && *static_cast<uint64_t*>(value) == 0, CUDA_ERROR_INVALID_VALUE);
  if (attr == CU_GRAPH_MEM_ATTR_USED_MEM_HIGH) {
    simgpu::cuda::ResetGraphMemoryUsedHigh(card);
    return CUDA_SUCCESS;
  }
  SIMGPU_REQUIRE(attr == CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH, CUDA_ERROR_INVALID_VALUE);
  simgpu::cuda::ResetGraphMemoryReservedHigh(card);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGraphMemTrim(CUdevice device) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  simgpu::cuda::TrimGraphMemory(card);
  return CUDA_SUCCESS;
}

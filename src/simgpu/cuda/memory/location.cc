#include "simgpu/cuda/memory/location.h"

#include "simgpu/cuda/device/visible.h"

namespace simgpu::cuda {

CUresult CardOfLocation(const CUmemLocation& location, int* card) {
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
      return CardOf(location.id, card);
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT:
      *card = kHostCard;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUdevice DeviceOfLocation(const CUmemLocation& location) {
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU;
}

}  // namespace simgpu::cuda

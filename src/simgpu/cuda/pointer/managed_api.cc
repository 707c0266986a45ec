// Advice on managed memory, and queries of it.
#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "simgpu/cuda/pointer/api.h"
#include "simgpu/cuda/pointer/managed.h"

namespace simgpu::cuda {
namespace {

CUresult Copy32(void* data, size_t size, int value) {
  SIMGPU_REQUIRE(size == sizeof(value), CUDA_ERROR_INVALID_VALUE);
  std::memcpy(data, &value, sizeof(value));
  return CUDA_SUCCESS;
}

CUresult CopyDevices(void* data, size_t size, const std::set<CUdevice>& devices) {
  SIMGPU_REQUIRE(size != 0 && size % sizeof(int) == 0, CUDA_ERROR_INVALID_VALUE);
  std::vector<CUdevice> ordered(devices.begin(), devices.end());
  std::sort(ordered.begin(), ordered.end(), [](CUdevice a, CUdevice b) {
    return static_cast<unsigned>(a) < static_cast<unsigned>(b);  // the host, -1, comes last
  });
  ordered.resize(std::max(ordered.size(), size / sizeof(int)), CU_DEVICE_INVALID);
  auto next = ordered.begin();
  for (size_t at = 0; at < size; at += sizeof(int)) {
    const int device = *next++;
    std::memcpy(static_cast<std::byte*>(data) + at, &device, sizeof(device));
  }
  return CUDA_SUCCESS;
}

CUresult Tell(const Advice& advice, CUmem_range_attribute attribute, void* data, size_t size) {
  SIMGPU_REQUIRE(data != nullptr, CUDA_ERROR_INVALID_VALUE);
  switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
      return Copy32(data, size, advice.read_mostly);
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
      return Copy32(data, size, DeviceOf(advice.preferred));
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE:
      return Copy32(data, size, advice.preferred.type);
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
      return Copy32(data, size, advice.preferred.id);
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
      return CopyDevices(data, size, advice.accessed_by);
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
      return Copy32(data, size, DeviceOf(advice.last_prefetch));
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE:
      return Copy32(data, size, advice.last_prefetch.type);
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
      return Copy32(data, size, advice.last_prefetch.id);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t count, CUmem_advise advice,
                                      CUmemLocation location) {
  SIMGPU_TRY(Ready());
  return Advise(pointer, count, advice, location);
}

SIMGPU_EXPORT CUresult cuMemAdvise(CUdeviceptr pointer, size_t count, CUmem_advise advice,
                                   CUdevice device) {
  SIMGPU_TRY(Ready());
  return Advise(pointer, count, advice, LocationOf(device));
}

SIMGPU_EXPORT CUresult cuMemRangeGetAttribute(void* data, size_t data_size,
                                              CUmem_range_attribute attribute, CUdeviceptr pointer,
                                              size_t count) {
  SIMGPU_TRY(Ready());
  Advice advice;
  SIMGPU_TRY(AdviceOf(pointer, count, &advice));
  return Tell(advice, attribute, data, data_size);
}

SIMGPU_EXPORT CUresult cuMemRangeGetAttributes(void** data, size_t* data_sizes,
                                               CUmem_range_attribute* attributes,
                                               size_t num_attributes, CUdeviceptr pointer,
                                               size_t count) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(data != nullptr && data_sizes != nullptr && attributes != nullptr,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(num_attributes != 0, CUDA_ERROR_INVALID_VALUE);
  Advice advice;
  SIMGPU_TRY(AdviceOf(pointer, count, &advice));
  for (size_t i = 0; i < num_attributes; i++) {
    SIMGPU_TRY(Tell(advice, attributes[i], data[i], data_sizes[i]));
  }
  return CUDA_SUCCESS;
}

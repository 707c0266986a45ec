#include <cstring>

#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/pool/memory_pool.h"
#include "simgpu/cuda/pool/release.h"

namespace simgpu::cuda {
namespace {

void PutU64(void* value, uint64_t number) { std::memcpy(value, &number, sizeof(number)); }

uint64_t GetU64(const void* value) {
  uint64_t number = 0;
  std::memcpy(&number, value, sizeof(number));
  return number;
}

bool IsReuse(CUmemPool_attribute attribute) {
  return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
         attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

}  // namespace

CUresult MemoryPool::GetAttribute(CUmemPool_attribute attribute, void* value) {
  if (attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) {
    PutU64(value, Reserved());
    return CUDA_SUCCESS;
  }
  const std::lock_guard lock(mutex_);
  if (IsReuse(attribute)) {
    std::memcpy(value, &reuse_[attribute - 1], sizeof(int));
    return CUDA_SUCCESS;
  }
  switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      PutU64(value, release_threshold_);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      PutU64(value, reserved_high_);
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      PutU64(value, heap_.used());
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      PutU64(value, used_high_);
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult MemoryPool::SetAttribute(CUmemPool_attribute attribute, const void* value) {
  const std::lock_guard lock(mutex_);
  if (IsReuse(attribute)) {
    int enabled = 0;
    std::memcpy(&enabled, value, sizeof(enabled));
    reuse_[attribute - 1] = enabled != 0;
    return CUDA_SUCCESS;
  }
  switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      release_threshold_ = GetU64(value);
      NotePoolExcess();
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      SIMGPU_REQUIRE(GetU64(value) == 0, CUDA_ERROR_INVALID_VALUE);
      reserved_high_ = heap_.reserved();
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      SIMGPU_REQUIRE(GetU64(value) == 0, CUDA_ERROR_INVALID_VALUE);
      used_high_ = heap_.used();
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult MemoryPool::SetAccess(const CUmemAccessDesc& access) {
  SIMGPU_REQUIRE(access.location.type == CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_INVALID_VALUE);
  int card = -1;
  SIMGPU_TRY(CardOf(access.location.id, &card));
  SIMGPU_REQUIRE(access.flags == CU_MEM_ACCESS_FLAGS_PROT_NONE ||
                     access.flags == CU_MEM_ACCESS_FLAGS_PROT_READ ||
                     access.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
                 CUDA_ERROR_INVALID_VALUE);
  // The card it lives on keeps its access.
  SIMGPU_REQUIRE(card != spec_.card || access.flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
                 CUDA_ERROR_INVALID_VALUE);
  const std::lock_guard lock(mutex_);
  access_[access.location.id] = access.flags;
  return CUDA_SUCCESS;
}

CUresult MemoryPool::GetAccess(const CUmemLocation& location, CUmemAccess_flags* flags) {
  SIMGPU_REQUIRE(location.type == CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_INVALID_VALUE);
  int card = -1;
  SIMGPU_TRY(CardOf(location.id, &card));
  const std::lock_guard lock(mutex_);
  const auto found = access_.find(location.id);
  *flags = found != access_.end() ? found->second : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

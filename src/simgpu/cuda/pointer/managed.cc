#include "simgpu/cuda/pointer/managed.h"

#include <map>
#include <mutex>

#include "simgpu/cuda/memory/location.h"
#include "simgpu/cuda/memory/range.h"

namespace simgpu::cuda {
namespace {

constexpr uintptr_t kPage = 4096;

struct AllAdvice {
  std::mutex mutex;
  AdviceMap map;
  // The allocation (buffer id) at a base address that the advice is of: a later one there starts
  // afresh.
  std::map<uintptr_t, uint64_t> described;
};

AllAdvice& All() {
  static AllAdvice* const advice = new AllAdvice;
  return *advice;
}

struct Pages {
  uintptr_t begin = 0;
  uintptr_t end = 0;
};

CUresult FindManaged(CUdeviceptr pointer, size_t count, Allocation* allocation) {
  SIMGPU_REQUIRE(count != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CheckRange(pointer, count, Touch::kRead, allocation));
  SIMGPU_REQUIRE(allocation->origin == Origin::kManaged, CUDA_ERROR_INVALID_VALUE);
  return CUDA_SUCCESS;
}

// Called with the lock.
CUresult PagesOf(CUdeviceptr pointer, size_t count, Pages* pages) {
  Allocation allocation;
  SIMGPU_TRY(FindManaged(pointer, count, &allocation));
  uint64_t& described = All().described[allocation.base];
  if (described != allocation.buffer_id) All().map.Forget(allocation.base, allocation.end());
  described = allocation.buffer_id;
  pages->begin = pointer / kPage * kPage;
  pages->end = (pointer + count + kPage - 1) / kPage * kPage;
  return CUDA_SUCCESS;
}

CUresult CheckLocation(const CUmemLocation& location, Location* checked) {
  int card = -1;
  SIMGPU_TRY(CardOfLocation(location, &card));
  *checked = {location.type, location.type == CU_MEM_LOCATION_TYPE_HOST ? 0 : location.id};
  return CUDA_SUCCESS;
}

void Change(CUmem_advise what, const Location& location, Advice* advice) {
  switch (what) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
      advice->read_mostly = true;
      break;
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
      advice->read_mostly = false;
      break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
      advice->preferred = location;
      break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
      advice->preferred = {};
      break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
      advice->accessed_by.insert(DeviceOf(location));
      break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
      advice->accessed_by.erase(DeviceOf(location));
      break;
  }
}

bool NeedsLocation(CUmem_advise what) {
  return what == CU_MEM_ADVISE_SET_PREFERRED_LOCATION || what == CU_MEM_ADVISE_SET_ACCESSED_BY ||
         what == CU_MEM_ADVISE_UNSET_ACCESSED_BY;
}

}  // namespace

CUmemLocation LocationOf(CUdevice device) {
  if (device == CU_DEVICE_CPU) return {CU_MEM_LOCATION_TYPE_HOST, 0};
  return {CU_MEM_LOCATION_TYPE_DEVICE, device};
}

CUdevice DeviceOf(const Location& location) {
  if (location.type == CU_MEM_LOCATION_TYPE_INVALID) return CU_DEVICE_INVALID;
  return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU;
}

CUresult Advise(CUdeviceptr pointer, size_t count, CUmem_advise what,
                const CUmemLocation& location) {
  SIMGPU_REQUIRE(what >= CU_MEM_ADVISE_SET_READ_MOSTLY && what <= CU_MEM_ADVISE_UNSET_ACCESSED_BY,
                 CUDA_ERROR_INVALID_VALUE);
  Location checked;
  if (NeedsLocation(what)) SIMGPU_TRY(CheckLocation(location, &checked));
  const std::lock_guard lock(All().mutex);
  Pages pages;
  SIMGPU_TRY(PagesOf(pointer, count, &pages));
  All().map.Apply(pages.begin, pages.end, [&](Advice& advice) { Change(what, checked, &advice); });
  return CUDA_SUCCESS;
}

CUresult NotePrefetch(CUdeviceptr pointer, size_t count, const CUmemLocation& location) {
  Location checked;
  SIMGPU_TRY(CheckLocation(location, &checked));
  const std::lock_guard lock(All().mutex);
  Pages pages;
  SIMGPU_TRY(PagesOf(pointer, count, &pages));
  All().map.Apply(pages.begin, pages.end, [&](Advice& advice) { advice.last_prefetch = checked; });
  return CUDA_SUCCESS;
}

CUresult CheckManaged(CUdeviceptr pointer, size_t count) {
  Allocation allocation;
  return FindManaged(pointer, count, &allocation);
}

CUresult AdviceOf(CUdeviceptr pointer, size_t count, Advice* advice) {
  const std::lock_guard lock(All().mutex);
  Pages pages;
  SIMGPU_TRY(PagesOf(pointer, count, &pages));
  *advice = All().map.Common(pages.begin, pages.end);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

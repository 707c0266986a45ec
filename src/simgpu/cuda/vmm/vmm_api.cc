#include <bit>

#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/memory/location.h"
#include "simgpu/cuda/vmm/api.h"
#include "simgpu/cuda/vmm/quiesce.h"
#include "simgpu/cuda/vmm/virtual_memory.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

constexpr size_t kPage = 4096;

bool IsAligned(uintptr_t value, size_t alignment) { return value % alignment == 0; }

bool IsBlocks(CUdeviceptr pointer, size_t size) {
  return size != 0 && IsAligned(pointer, kVmmGranularity) && IsAligned(size, kVmmGranularity);
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t size,
                                   const CUmemAllocationProp* prop, unsigned long long flags) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(handle != nullptr && prop != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  int card = -1;
  SIMGPU_TRY(CheckProps(*prop, &card));
  SIMGPU_REQUIRE(size != 0 && IsAligned(size, kVmmGranularity), CUDA_ERROR_INVALID_VALUE);
  const auto extent = simgpu::world::World::Instance().memory().AllocateExtent(
      card, size, simgpu::world::MemoryKind::kData);
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
  CUmemAllocationProp props = *prop;
  props.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_NONE;  // the card has no compression
  *handle = Adopt(props, *extent);
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  SIMGPU_TRY(Ready());
  return ReleaseReference(handle);
}

SIMGPU_EXPORT CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle* handle,
                                                   void* addr) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(handle != nullptr && addr != nullptr, CUDA_ERROR_INVALID_VALUE);
  return RetainMapped(reinterpret_cast<uintptr_t>(addr), handle);
}

SIMGPU_EXPORT CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* prop,
                                                              CUmemGenericAllocationHandle handle) {
  SIMGPU_TRY(Ready());
  const auto memory = MemoryOf(handle);
  SIMGPU_REQUIRE(prop != nullptr && memory != nullptr, CUDA_ERROR_INVALID_VALUE);
  *prop = memory->props();
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemGetAllocationGranularity(size_t* granularity,
                                                     const CUmemAllocationProp* prop,
                                                     CUmemAllocationGranularity_flags option) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(granularity != nullptr && prop != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(
      option == CU_MEM_ALLOC_GRANULARITY_MINIMUM || option == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED,
      CUDA_ERROR_INVALID_VALUE);
  int card = -1;
  SIMGPU_TRY(CheckProps(*prop, &card));
  *granularity = kVmmGranularity;
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemAddressReserve(CUdeviceptr* pointer, size_t size, size_t alignment,
                                           CUdeviceptr addr, unsigned long long flags) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(pointer != nullptr && flags == 0 && size != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(IsAligned(size, kPage) && IsAligned(addr, kPage), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(alignment == 0 || std::has_single_bit(alignment), CUDA_ERROR_INVALID_VALUE);
  uintptr_t base = 0;
  SIMGPU_TRY(ReserveAddresses(size, alignment < kVmmGranularity ? kVmmGranularity : alignment, addr,
                              &base));
  *pointer = base;
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size) {
  SIMGPU_TRY(Ready());
  return FreeAddresses({pointer, size});
}

SIMGPU_EXPORT CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset,
                                CUmemGenericAllocationHandle handle, unsigned long long flags) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(flags == 0 && offset == 0 && IsBlocks(pointer, size), CUDA_ERROR_INVALID_VALUE);
  const auto memory = MemoryOf(handle);
  SIMGPU_REQUIRE(memory != nullptr && size <= memory->extent().bytes, CUDA_ERROR_INVALID_VALUE);
  return MapMemory({pointer, size}, memory);
}

SIMGPU_EXPORT CUresult cuMemUnmap(CUdeviceptr pointer, size_t size) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(IsBlocks(pointer, size), CUDA_ERROR_INVALID_VALUE);
  WaitForWork();
  return UnmapMemory({pointer, size});
}

SIMGPU_EXPORT CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc* desc,
                                      size_t count) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(desc != nullptr && count != 0 && IsBlocks(pointer, size),
                 CUDA_ERROR_INVALID_VALUE);
  return SetAccess({pointer, size}, desc, count);
}

SIMGPU_EXPORT CUresult cuMemGetAccess(unsigned long long* flags, const CUmemLocation* location,
                                      CUdeviceptr pointer) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(flags != nullptr && location != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(location->type == CU_MEM_LOCATION_TYPE_DEVICE, CUDA_ERROR_INVALID_VALUE);
  int card = -1;
  SIMGPU_TRY(CardOf(location->id, &card));
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
  SIMGPU_TRY(GetAccess(pointer, location->id, &access));
  *flags = access;
  return CUDA_SUCCESS;
}

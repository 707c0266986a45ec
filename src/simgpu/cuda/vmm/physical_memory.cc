#include "simgpu/cuda/vmm/physical_memory.h"

#include "simgpu/cuda/memory/location.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

constexpr unsigned kHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR |
                                  CU_MEM_HANDLE_TYPE_WIN32 | CU_MEM_HANDLE_TYPE_WIN32_KMT |
                                  CU_MEM_HANDLE_TYPE_FABRIC;
constexpr unsigned kUsage = CU_MEM_CREATE_USAGE_TILE_POOL | CU_MEM_CREATE_USAGE_HW_DECOMPRESS;

}  // namespace

PhysicalMemory::PhysicalMemory(const CUmemAllocationProp& props, const world::Extent& extent)
    : props_(props), extent_(extent) {}

PhysicalMemory::~PhysicalMemory() {
  world::Memory& memory = world::World::Instance().memory();
  IsTouched() ? memory.Release(extent_) : memory.ReleaseUntouched(extent_);
}

CUresult CheckProps(const CUmemAllocationProp& props, int* card) {
  SIMGPU_REQUIRE(props.type == CU_MEM_ALLOCATION_TYPE_PINNED, CUDA_ERROR_INVALID_VALUE);
  const unsigned types = props.requestedHandleTypes;
  SIMGPU_REQUIRE((types & ~kHandleTypes) == 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE((props.allocFlags.usage & ~kUsage) == 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_TRY(CardOfLocation(props.location, card));
  SIMGPU_REQUIRE(*card != kHostCard, CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_REQUIRE((types & ~unsigned{CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR}) == 0,
                 CUDA_ERROR_NOT_SUPPORTED);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

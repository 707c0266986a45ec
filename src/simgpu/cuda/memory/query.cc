#include <algorithm>
#include <limits>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

// What the functions of CUDA 2.0 tell of a size they cannot hold.
unsigned Clamp(uint64_t bytes) {
  return static_cast<unsigned>(std::min<uint64_t>(bytes, std::numeric_limits<unsigned>::max()));
}

CUresult UseOfCurrentCard(world::MemoryUse* use) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  *use = world::World::Instance().memory().Use(context->card());
  return CUDA_SUCCESS;
}

CUresult FindRange(CUdeviceptr pointer, Allocation* allocation) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  const auto found = AllocationMap::Instance().Find(pointer);
  SIMGPU_REQUIRE(found.has_value() && found->origin != Origin::kArray, CUDA_ERROR_NOT_FOUND);
  *allocation = *found;
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemGetInfo_v2(size_t* free, size_t* total) {
  simgpu::world::MemoryUse use;
  SIMGPU_TRY(UseOfCurrentCard(&use));
  if (free != nullptr) *free = use.free;
  if (total != nullptr) *total = use.total;
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemGetInfo(unsigned* free, unsigned* total) {
  simgpu::world::MemoryUse use;
  SIMGPU_TRY(UseOfCurrentCard(&use));
  if (free != nullptr) *free = Clamp(use.free);
  if (total != nullptr) *total = Clamp(use.total);
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* size,
                                               CUdeviceptr pointer) {
  Allocation allocation;
  SIMGPU_TRY(FindRange(pointer, &allocation));
  if (base != nullptr) *base = allocation.base;
  if (size != nullptr) *size = allocation.bytes;
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemGetAddressRange(CUdeviceptr_v1* base, unsigned* size,
                                            CUdeviceptr_v1 pointer) {
  Allocation allocation;
  SIMGPU_TRY(FindRange(pointer, &allocation));
  if (base != nullptr) *base = static_cast<CUdeviceptr_v1>(allocation.base);
  if (size != nullptr) *size = Clamp(allocation.bytes);
  return CUDA_SUCCESS;
}

#include "simgpu/cuda/module/global_memory.h"

#include <cstring>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {

GlobalMemory::~GlobalMemory() {
  for (const CUdeviceptr piece : pieces_) AllocationMap::Instance().Take(piece, {Origin::kGlobal});
  for (const world::Extent& extent : extents_) world::World::Instance().memory().Release(extent);
}

CUresult GlobalMemory::Take(const Variable& variable, CUdeviceptr* pointer) {
  const size_t taken = (variable.bytes + kPieceBytes - 1) / kPieceBytes * kPieceBytes;
  if (extents_.empty() || used_ + taken > extents_.back().span) {
    const auto extent = world::World::Instance().memory().AllocateExtent(
        context_.card(), world::kBlockBytes, world::MemoryKind::kUncharged);
    SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
    extents_.push_back(*extent);
    used_ = 0;
  }
  Allocation global;
  global.base = reinterpret_cast<uintptr_t>(extents_.back().address) + used_;
  global.bytes = variable.bytes;
  global.origin = Origin::kGlobal;
  global.device = context_.device();
  global.card = context_.card();
  global.context = context_.handle();
  global.context_id = context_.id();
  SIMGPU_REQUIRE(AllocationMap::Instance().Insert(global), CUDA_ERROR_UNKNOWN);
  if (!variable.value.empty()) {
    std::memcpy(reinterpret_cast<void*>(global.base), variable.value.data(), variable.value.size());
  }
  used_ += taken;
  pieces_.push_back(global.base);
  *pointer = global.base;
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

#include "simgpu/cuda/module/global_memory.h"

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {

GlobalMemory::~GlobalMemory() {
  for (const CUdeviceptr piece : pieces_) AllocationMap::Instance().Take(piece, {Origin::kGlobal});
  for (const world::Extent& extent : extents_) world::World::Instance().memory().Release(extent);
}

CUresult GlobalMemory::Take(CUdeviceptr* pointer) {
  if (extents_.empty() || used_ + kPieceBytes > extents_.back().span) {
    const auto extent = world::World::Instance().memory().AllocateExtent(
        context_.card(), world::kBlockBytes, world::MemoryKind::kUncharged);
    SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
    extents_.push_back(*extent);
    used_ = 0;
  }
  Allocation global;
  global.base = reinterpret_cast<uintptr_t>(extents_.back().address) + used_;
  global.bytes = kPieceBytes;
  global.origin = Origin::kGlobal;
  global.device = context_.device();
  global.card = context_.card();
  global.context = context_.handle();
  global.context_id = context_.id();
  SIMGPU_REQUIRE(AllocationMap::Instance().Insert(global), CUDA_ERROR_UNKNOWN);
  used_ += kPieceBytes;
  pieces_.push_back(global.base);
  *pointer = global.base;
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

#include "simgpu/cuda/memory/device_memory.h"

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/memory/extent_view.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

constexpr Origins kFreeable = {Origin::kDevice,     Origin::kManaged,  Origin::kPool,
                               Origin::kPoolImport, Origin::kExternal, Origin::kGraph};

class DeviceOwner final : public AllocationOwner {
 public:
  void TakeBack(const Allocation& allocation) override {
    world::World::Instance().memory().Free(reinterpret_cast<void*>(allocation.base));
  }
};

DeviceOwner device_owner;

}  // namespace

CUresult AllocateDevice(Context& context, const DeviceRequest& request, CUdeviceptr* pointer) {
  const auto memory = world::World::Instance().memory().Allocate(context.card(), request.bytes);
  SIMGPU_REQUIRE(memory.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
  Allocation allocation;
  allocation.base = reinterpret_cast<uintptr_t>(memory->address);
  allocation.bytes = request.bytes;
  allocation.origin = request.origin;
  allocation.device = context.device();
  allocation.card = context.card();
  allocation.flags = request.flags;
  allocation.owner = &device_owner;
  if (!AllocationMap::Instance().InsertIn(context, allocation)) {
    device_owner.TakeBack(allocation);
    return CUDA_ERROR_UNKNOWN;
  }
  *pointer = allocation.base;
  return CUDA_SUCCESS;
}

CUresult AllocateLow(Context& context, size_t bytes, CUdeviceptr_v1* pointer) {
  const auto extent = world::World::Instance().memory().AllocateExtent(context.card(), bytes,
                                                                       world::MemoryKind::kData);
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
  CUdeviceptr wide = 0;
  const ViewRequest request = {.extent = *extent, .bytes = bytes, .place = ViewPlace::kFirst4GiB};
  SIMGPU_REQUIRE(MapView(context, request, &wide) == CUDA_SUCCESS, CUDA_ERROR_OUT_OF_MEMORY);
  *pointer = static_cast<CUdeviceptr_v1>(wide);
  return CUDA_SUCCESS;
}

CUresult FreeDevice(CUdeviceptr pointer, Origin origin) {
  const auto allocation = AllocationMap::Instance().Take(pointer, {origin});
  SIMGPU_REQUIRE(allocation.has_value(), CUDA_ERROR_INVALID_VALUE);
  GiveBack(*allocation);
  return CUDA_SUCCESS;
}

CUresult FreeLinear(CUdeviceptr pointer) {
  if (pointer == 0) return CUDA_SUCCESS;
  const auto allocation = AllocationMap::Instance().Take(pointer, kFreeable);
  SIMGPU_REQUIRE(allocation.has_value(), CUDA_ERROR_INVALID_VALUE);
  if (allocation->origin != Origin::kPool && allocation->origin != Origin::kPoolImport) {
    if (Context* const context = Context::From(allocation->context)) context->Synchronize();
  }
  GiveBack(*allocation);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

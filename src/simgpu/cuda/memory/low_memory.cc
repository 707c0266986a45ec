// The functions of CUDA 2.0 name device memory by 32-bit addresses. Their allocations are mapped a
// second time, where such an address reaches, and are the program's under that address alone.
#include <sys/mman.h>

#include <memory>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/memory/device_memory.h"
#include "simgpu/world/world.h"

namespace simgpu::cuda {
namespace {

constexpr size_t kPage = 4096;

class LowOwner : public AllocationOwner {
 public:
  // Its token is the world's extent behind it.
  void TakeBack(const Allocation& allocation) override {
    const std::unique_ptr<world::Extent> extent(static_cast<world::Extent*>(allocation.token));
    munmap(reinterpret_cast<void*>(allocation.base), extent->span);
    world::World::Instance().memory().Release(*extent);
  }
};

LowOwner low_owner;

}  // namespace

CUresult AllocateLow(Context& context, size_t bytes, CUdeviceptr_v1* pointer) {
  world::Memory& memory = world::World::Instance().memory();
  const auto extent = memory.AllocateExtent(context.card(), bytes, world::MemoryKind::kData);
  SIMGPU_REQUIRE(extent.has_value(), CUDA_ERROR_OUT_OF_MEMORY);
  void* const address = mmap(nullptr, extent->span, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_32BIT, -1, 0);
  if (address == MAP_FAILED) {
    memory.Release(*extent);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  Allocation allocation;
  allocation.base = reinterpret_cast<uintptr_t>(address);
  allocation.bytes = bytes;
  allocation.device = context.device();
  allocation.card = context.card();
  allocation.owner = &low_owner;
  allocation.token = new world::Extent(*extent);
  const size_t mapped = (bytes + kPage - 1) / kPage * kPage;
  if (!memory.MapAt(*extent, 0, address, mapped) ||
      !AllocationMap::Instance().InsertIn(context, allocation)) {
    low_owner.TakeBack(allocation);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *pointer = static_cast<CUdeviceptr_v1>(allocation.base);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

#include "simgpu/cuda/memory/host_memory.h"

#include <sys/mman.h>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/memory/allocation_map.h"

namespace simgpu::cuda {
namespace {

constexpr uintptr_t kPage = 4096;

class HostOwner final : public AllocationOwner {
 public:
  void TakeBack(const Allocation& allocation) override {
    munmap(reinterpret_cast<void*>(allocation.base), allocation.bytes);
  }
};

HostOwner host_owner;

// Every page of the range is mapped. msync of no effect is the cheapest call that tells.
bool IsMapped(uintptr_t begin, uintptr_t end) {
  begin = begin / kPage * kPage;
  return msync(reinterpret_cast<void*>(begin), end - begin, MS_ASYNC) == 0;
}

// Copies to or from the memory that are still queued must not outlive it.
void WaitForUsers(const Allocation& allocation) {
  if (Context* const context = Context::From(allocation.context)) context->Synchronize();
}

}  // namespace

CUresult AllocateHost(Context& context, size_t bytes, unsigned flags, void** pointer) {
  void* const address =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SIMGPU_REQUIRE(address != MAP_FAILED, CUDA_ERROR_OUT_OF_MEMORY);
  Allocation allocation;
  allocation.base = reinterpret_cast<uintptr_t>(address);
  allocation.bytes = bytes;
  allocation.origin = Origin::kHost;
  allocation.device = context.device();
  allocation.flags = flags;
  allocation.owner = &host_owner;
  if (!AllocationMap::Instance().InsertIn(context, allocation)) {
    host_owner.TakeBack(allocation);
    return CUDA_ERROR_UNKNOWN;
  }
  *pointer = address;
  return CUDA_SUCCESS;
}

CUresult FreeHost(void* pointer) {
  const auto allocation =
      AllocationMap::Instance().Take(reinterpret_cast<uintptr_t>(pointer), {Origin::kHost});
  SIMGPU_REQUIRE(allocation.has_value(), CUDA_ERROR_INVALID_VALUE);
  WaitForUsers(*allocation);
  GiveBack(*allocation);
  return CUDA_SUCCESS;
}

CUresult RegisterHost(Context& context, void* pointer, size_t bytes, unsigned flags) {
  Allocation allocation;
  allocation.base = reinterpret_cast<uintptr_t>(pointer);
  allocation.bytes = bytes;
  allocation.origin = Origin::kRegistered;
  allocation.device = context.device();
  allocation.flags = flags;
  SIMGPU_REQUIRE(allocation.end() > allocation.base, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(IsMapped(allocation.base, allocation.end()), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(AllocationMap::Instance().InsertIn(context, allocation),
                 CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
  return CUDA_SUCCESS;
}

CUresult UnregisterHost(void* pointer) {
  const auto allocation =
      AllocationMap::Instance().Take(reinterpret_cast<uintptr_t>(pointer), {Origin::kRegistered});
  SIMGPU_REQUIRE(allocation.has_value(), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
  WaitForUsers(*allocation);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

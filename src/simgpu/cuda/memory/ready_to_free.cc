#include "simgpu/cuda/memory/ready_to_free.h"

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/memory/allocation_map.h"

namespace simgpu::cuda {
namespace {

// Memory of a pool belongs to none.
CUresult FailureOfOwner(const void* address) {
  const auto found = AllocationMap::Instance().Find(reinterpret_cast<uintptr_t>(address));
  SIMGPU_REQUIRE(found.has_value(), CUDA_ERROR_INVALID_CONTEXT);
  const Context* const owner = Context::From(found->context);
  return owner == nullptr ? CUDA_SUCCESS : owner->failure();
}

}  // namespace

CUresult ReadyToFree(const void* address) {
  SIMGPU_TRY(Ready());
  Context* current = nullptr;
  SIMGPU_TRY(ContextStack::Top() == nullptr ? FailureOfOwner(address) : CurrentContext(&current));
  return RefuseWhileCapturing();
}

}  // namespace simgpu::cuda

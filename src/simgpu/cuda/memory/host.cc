#include <limits>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/memory/allocation_map.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/memory/host_memory.h"
#include "simgpu/cuda/memory/ready_to_free.h"

namespace simgpu::cuda {
namespace {

constexpr unsigned kAllocateFlags =
    CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned kRegisterFlags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                                    CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;

CUresult ContextForHost(Context** context) {
  SIMGPU_TRY(CurrentContext(context));
  return RefuseWhileCapturing();
}

// The host allocation that holds the pointer: allocated here, or registered as well.
CUresult FindHost(const void* pointer, bool registered_too, Allocation* allocation) {
  const auto found = AllocationMap::Instance().Find(reinterpret_cast<uintptr_t>(pointer));
  SIMGPU_REQUIRE(found.has_value() && found->on_host(), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(registered_too || found->origin == Origin::kHost, CUDA_ERROR_INVALID_VALUE);
  *allocation = *found;
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using namespace simgpu::cuda;

SIMGPU_EXPORT CUresult cuMemHostAlloc(void** pointer, size_t bytes, unsigned flags) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForHost(&context));
  SIMGPU_REQUIRE(pointer != nullptr && bytes != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE((flags & ~kAllocateFlags) == 0, CUDA_ERROR_INVALID_VALUE);
  return AllocateHost(*context, bytes, flags, pointer);
}

SIMGPU_EXPORT CUresult cuMemAllocHost_v2(void** pointer, size_t bytes) {
  return cuMemHostAlloc(pointer, bytes, 0);
}

SIMGPU_EXPORT CUresult cuMemAllocHost(void** pointer, unsigned bytes) {
  return cuMemHostAlloc(pointer, bytes, 0);
}

SIMGPU_EXPORT CUresult cuMemFreeHost(void* pointer) {
  SIMGPU_TRY(ReadyToFree(pointer));
  return FreeHost(pointer);
}

SIMGPU_EXPORT CUresult cuMemHostRegister_v2(void* pointer, size_t bytes, unsigned flags) {
  Context* context = nullptr;
  SIMGPU_TRY(ContextForHost(&context));
  SIMGPU_REQUIRE(pointer != nullptr && bytes != 0, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE((flags & ~kRegisterFlags) == 0, CUDA_ERROR_INVALID_VALUE);
  // There is no memory of third-party devices here.
  SIMGPU_REQUIRE((flags & CU_MEMHOSTREGISTER_IOMEMORY) == 0, CUDA_ERROR_NOT_SUPPORTED);
  return RegisterHost(*context, pointer, bytes, flags);
}

SIMGPU_EXPORT CUresult cuMemHostRegister(void* pointer, size_t bytes, unsigned flags) {
  return cuMemHostRegister_v2(pointer, bytes, flags);
}

SIMGPU_EXPORT CUresult cuMemHostUnregister(void* pointer) {
  SIMGPU_TRY(ReadyToFree(pointer));
  SIMGPU_REQUIRE(pointer != nullptr, CUDA_ERROR_INVALID_VALUE);
  return UnregisterHost(pointer);
}

SIMGPU_EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr* pointer, void* host,
                                                    unsigned flags) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(pointer != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  Allocation allocation;
  SIMGPU_TRY(FindHost(host, /*registered_too=*/true, &allocation));
  *pointer = reinterpret_cast<uintptr_t>(host);  // one address for host and device
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemHostGetDevicePointer(CUdeviceptr_v1* pointer, void* host,
                                                 unsigned flags) {
  SIMGPU_REQUIRE(pointer != nullptr, CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr wide = 0;
  SIMGPU_TRY(cuMemHostGetDevicePointer_v2(&wide, host, flags));
  SIMGPU_REQUIRE(wide <= std::numeric_limits<CUdeviceptr_v1>::max(), CUDA_ERROR_INVALID_VALUE);
  *pointer = static_cast<CUdeviceptr_v1>(wide);
  return CUDA_SUCCESS;
}

SIMGPU_EXPORT CUresult cuMemHostGetFlags(unsigned* flags, void* pointer) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(flags != nullptr, CUDA_ERROR_INVALID_VALUE);
  Allocation allocation;
  SIMGPU_TRY(FindHost(pointer, /*registered_too=*/false, &allocation));
  *flags = allocation.flags;
  return CUDA_SUCCESS;
}

// CUipcMemHandle: names an allocation of this process to the others of the world.
#pragma once

#include <cstdint>

#include "simgpu/cuda/memory/allocation.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {

class Context;

struct MemHandle {
  static constexpr uint64_t kMagic = 0x63706975706769;

  uint64_t magic = kMagic;
  world::ExtentName extent;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint32_t owner_slot = 0;  // of the process that exported it
  uint32_t owner_generation = 0;
};
static_assert(sizeof(MemHandle) <= sizeof(CUipcMemHandle));

// CUDA_ERROR_INVALID_VALUE for anything but what cuMemAlloc gave.
CUresult MakeMemHandle(CUdeviceptr pointer, MemHandle* handle);

// Opens in the context, or counts one more user of what is open there already.
// CUDA_ERROR_INVALID_CONTEXT in the process it comes from, CUDA_ERROR_INVALID_HANDLE for one that
// names nothing.
CUresult OpenMemHandle(Context& context, const MemHandle& handle, CUdeviceptr* pointer);
CUresult CloseMemHandle(CUdeviceptr pointer);

}  // namespace simgpu::cuda

// What cuMemCreate makes: card memory without an address. Lives while the program holds its handle
// (each create, import and retain needs a release) or it is mapped somewhere.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {

inline constexpr size_t kVmmGranularity = world::kBlockBytes;

class PhysicalMemory
    : public Handled<PhysicalMemory, CUmemGenericAllocationHandle, HandleKind::kMemoryAllocation>,
      public std::enable_shared_from_this<PhysicalMemory> {
 public:
  // Takes over the caller's hold on the extent.
  PhysicalMemory(const CUmemAllocationProp& props, const world::Extent& extent);
  ~PhysicalMemory();

  const CUmemAllocationProp& props() const { return props_; }
  const world::Extent& extent() const { return extent_; }
  CUdevice device() const { return props_.location.id; }

  // Before it is mapped for the first time.
  void NoteMapped() { was_mapped_.store(true, std::memory_order_relaxed); }

  int references = 0;  // of the program; guarded by the owner's lock

 private:
  // What can be exported is taken for touched: it may have been elsewhere.
  bool IsTouched() const {
    return was_mapped_.load(std::memory_order_relaxed) || props_.requestedHandleTypes != 0;
  }

  const CUmemAllocationProp props_;
  const world::Extent extent_;
  std::atomic<bool> was_mapped_ = false;
};

// Checks what is asked for: CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_INVALID_DEVICE, or
// CUDA_ERROR_NOT_SUPPORTED for memory of the host and handles other than file descriptors.
CUresult CheckProps(const CUmemAllocationProp& props, int* card);

}  // namespace simgpu::cuda

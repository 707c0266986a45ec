// Memory of a module's variables: pieces of 64 KiB of extents that cost the card nothing, because
// the module's own memory has been charged for them.
#pragma once

#include <vector>

#include "simgpu/cuda/image/contents.h"
#include "simgpu/cuda/result.h"
#include "simgpu/world/memory.h"

namespace simgpu::cuda {

class Context;

class GlobalMemory {
 public:
  static constexpr size_t kPieceBytes = 64 * 1024;
  static constexpr size_t kMostBytes = world::kBlockBytes;  // of one variable

  explicit GlobalMemory(Context& context) : context_(context) {}
  ~GlobalMemory();  // the pointers given out become unknown

  // Of the size and value that is known of the variable; at most kMostBytes.
  CUresult Take(const Variable& variable, CUdeviceptr* pointer);

 private:
  Context& context_;
  std::vector<world::Extent> extents_;
  std::vector<CUdeviceptr> pieces_;
  uint64_t used_ = 0;  // of the last extent
};

}  // namespace simgpu::cuda

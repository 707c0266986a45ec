// How an array's elements lie in memory: element by element, row by row, slice by slice (a layer
// and a cubemap face are slices), nothing between; the levels of a mipmapped array follow each
// other. What a real card does inside an array is its secret, so nobody can tell the difference.
// Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

// Arrays take card memory in steps of this; so do cuArrayGetMemoryRequirements' answers.
inline constexpr size_t kArrayGranularity = size_t{64} << 10;

struct ArrayLayout {
  size_t offset = 0;  // of a level in its mipmapped array
  size_t element_bytes = 0;
  size_t row_bytes = 0;
  size_t rows = 1;    // a slice
  size_t slices = 1;  // depth, layers or faces

  size_t slice_bytes() const { return row_bytes * rows; }
  size_t bytes() const { return slice_bytes() * slices; }
};

// Checks a descriptor as cuArray3DCreate does: CUDA_ERROR_INVALID_VALUE for what no card has,
// CUDA_ERROR_NOT_SUPPORTED for formats and flags that the simulated one lacks (block-compressed
// and video formats, sparse arrays).
CUresult LayOut(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, ArrayLayout* layout);

// Level by level. The count is clamped to what there can be, from 1 to where every side is 1.
CUresult LayOutLevels(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, unsigned levels,
                      std::vector<ArrayLayout>* layouts);

// The descriptor of one level.
CUDA_ARRAY3D_DESCRIPTOR DescriptorOfLevel(const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                                          unsigned level);

// Bytes to take from the card for arrays that end at `bytes`.
size_t ChargedBytes(size_t bytes);

}  // namespace simgpu::cuda

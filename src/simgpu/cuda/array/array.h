// A CUDA array, or one level of a mipmapped array. Its bytes are in card memory, laid out by
// ArrayLayout; copies reach them through `view`. An array of deferred mapping has none: it takes no
// memory and can only tell how much it would need.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "simgpu/cuda/array/layout.h"
#include "simgpu/cuda/copy/box.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Context;

class Array : public Handled<Array, CUarray, HandleKind::kArray> {
 public:
  enum class Part : bool { kWhole, kLevel };

  Array(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const ArrayLayout& layout, std::byte* data,
        int card, Part part)
      : descriptor_(descriptor), layout_(layout), data_(data), card_(card), part_(part) {}

  // Takes card memory of the context; the array goes with the context at the latest.
  static CUresult Create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                         CUarray* array);
  // CUDA_ERROR_INVALID_HANDLE also for a level.
  static CUresult Destroy(CUarray array);

  const CUDA_ARRAY3D_DESCRIPTOR& descriptor() const { return descriptor_; }
  const ArrayLayout& layout() const { return layout_; }
  std::byte* data() const { return data_; }  // nullptr: deferred
  int card() const { return card_; }
  BoxView view() const { return {data_, layout_.row_bytes, layout_.slice_bytes()}; }

 private:
  const CUDA_ARRAY3D_DESCRIPTOR descriptor_;
  const ArrayLayout layout_;
  std::byte* const data_;
  const int card_;
  const Part part_;  // a level goes with its mipmapped array
};

class MipmappedArray
    : public Handled<MipmappedArray, CUmipmappedArray, HandleKind::kMipmappedArray> {
 public:
  MipmappedArray(const CUDA_ARRAY3D_DESCRIPTOR& descriptor, const std::vector<ArrayLayout>& layouts,
                 std::byte* data, int card);

  static CUresult Create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& descriptor,
                         unsigned levels, CUmipmappedArray* array);
  static CUresult Destroy(CUmipmappedArray array);

  Array* level(unsigned index) const {
    return index < levels_.size() ? levels_[index].get() : nullptr;
  }
  size_t bytes() const { return bytes_; }    // of all levels, as charged
  std::byte* data() const { return data_; }  // nullptr: deferred
  int card() const { return card_; }

 private:
  std::vector<std::unique_ptr<Array>> levels_;
  std::byte* const data_;
  const int card_;
  size_t bytes_ = 0;
};

}  // namespace simgpu::cuda

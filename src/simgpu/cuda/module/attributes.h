// Attributes of a kernel: what it reports, and the few that can be set.
#pragma once

#include <array>
#include <atomic>

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class FunctionAttributes {
 public:
  explicit FunctionAttributes(int card);

  CUresult Get(CUfunction_attribute attribute, int* value) const;
  CUresult Set(CUfunction_attribute attribute, int value);
  int operator[](CUfunction_attribute attribute) const { return values_[attribute]; }

 private:
  std::array<std::atomic<int>, CU_FUNC_ATTRIBUTE_MAX> values_;
};

}  // namespace simgpu::cuda

// cuCtxSetLimit and the other settings of a context that the simulated card does nothing with but
// report back.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Limits {
 public:
  Limits();

  CUresult Get(CUlimit limit, size_t* value) const;
  // The card rounds and clamps some of them, as a real one does.
  CUresult Set(CUlimit limit, size_t value);
  void ResetPersistingCache();

 private:
  std::array<std::atomic<size_t>, CU_LIMIT_MAX> values_;
};

}  // namespace simgpu::cuda

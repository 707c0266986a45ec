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

  CUfunc_cache cache_config() const { return cache_config_; }
  void set_cache_config(CUfunc_cache config) { cache_config_ = config; }

 private:
  std::array<std::atomic<size_t>, CU_LIMIT_MAX> values_;
  std::atomic<CUfunc_cache> cache_config_{CU_FUNC_CACHE_PREFER_NONE};
};

}  // namespace simgpu::cuda

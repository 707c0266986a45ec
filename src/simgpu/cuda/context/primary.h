// The primary context of each visible device: one handle for the life of the process, live while
// retained.
#pragma once

#include <memory>
#include <mutex>

#include "simgpu/cuda/context/context.h"

namespace simgpu::cuda {

class PrimaryContext {
 public:
  // CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_INVALID_DEVICE.
  static CUresult Of(CUdevice device, PrimaryContext** primary);

  explicit PrimaryContext(CUdevice device, int card);

  CUresult Retain(CUcontext* context);
  CUresult Release();
  void Reset();
  // What the next activation, or the context if it is live, shall have.
  void SetFlags(unsigned flags);
  unsigned flags() const { return context_->flags(); }
  bool active() const { return context_->live(); }
  Context& context() const { return *context_; }

 private:
  const std::shared_ptr<Context> context_;
  std::mutex mutex_;
  uint64_t references_ = 0;
};

}  // namespace simgpu::cuda

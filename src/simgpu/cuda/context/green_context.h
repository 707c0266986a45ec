// Green contexts: contexts whose kernels run on some of the card's multiprocessors. They share the
// memory of the device's primary context, which they retain.
#pragma once

#include <memory>
#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/handles.h"

namespace simgpu::cuda {

class GreenContext : public Handled<GreenContext, CUgreenCtx, HandleKind::kGreenContext> {
 public:
  explicit GreenContext(std::shared_ptr<Context> context) : context_(std::move(context)) {}

  Context& context() const { return *context_; }

 private:
  const std::shared_ptr<Context> context_;
};

}  // namespace simgpu::cuda

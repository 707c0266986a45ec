// Green contexts: contexts whose kernels run on some of the card's multiprocessors. They share the
// memory of the device's primary context, which they keep alive.
#pragma once

#include <memory>

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

// nullptr for contexts that are not green.
CUgreenCtx GreenHandleOf(const Context& context);

}  // namespace simgpu::cuda

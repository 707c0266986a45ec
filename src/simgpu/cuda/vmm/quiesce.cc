#include "simgpu/cuda/vmm/quiesce.h"

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/context/primary.h"
#include "simgpu/cuda/device/visible.h"

namespace simgpu::cuda {

void WaitForWork() {
  if (Context* const current = Context::From(ContextStack::Top())) current->Synchronize();
  const auto count = static_cast<CUdevice>(VisibleCards().size());
  for (CUdevice device = 0; device < count; device++) {
    PrimaryContext* primary = nullptr;
    if (PrimaryContext::Of(device, &primary) != CUDA_SUCCESS || !primary->active()) continue;
    primary->context().Synchronize();
  }
}

}  // namespace simgpu::cuda

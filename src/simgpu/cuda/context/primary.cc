#include "simgpu/cuda/context/primary.h"

#include <deque>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/context/flags.h"
#include "simgpu/cuda/device/visible.h"

namespace simgpu::cuda {
namespace {

std::deque<PrimaryContext> MakeAll() {
  std::deque<PrimaryContext> all;
  for (const int card : VisibleCards()) all.emplace_back(static_cast<CUdevice>(all.size()), card);
  return all;
}

}  // namespace

CUresult PrimaryContext::Of(CUdevice device, PrimaryContext** primary) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  static auto* const all = new std::deque<PrimaryContext>(MakeAll());
  *primary = &(*all)[device];
  return CUDA_SUCCESS;
}

PrimaryContext::PrimaryContext(CUdevice device, int card)
    : context_(std::make_shared<Context>(ContextSpec{.kind = ContextKind::kPrimary,
                                                     .device = device,
                                                     .card = card,
                                                     .sm_count = SpecOf(card).sm_count})) {}

CUresult PrimaryContext::Retain(CUcontext* context) {
  const std::lock_guard lock(mutex_);
  SIMGPU_TRY(context_->Activate());
  ++references_;
  *context = context_->handle();
  return CUDA_SUCCESS;
}

CUresult PrimaryContext::Release() {
  const std::lock_guard lock(mutex_);
  SIMGPU_REQUIRE(references_ > 0, CUDA_ERROR_INVALID_CONTEXT);
  if (--references_ == 0) context_->Deactivate();
  return CUDA_SUCCESS;
}

void PrimaryContext::Reset() {
  const std::lock_guard lock(mutex_);
  references_ = 0;
  context_->Deactivate();
  context_->set_flags(0);
}

void PrimaryContext::SetFlags(unsigned flags) { context_->set_flags(flags); }

}  // namespace simgpu::cuda

using simgpu::cuda::PrimaryContext;

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(device, &primary));
  SIMGPU_REQUIRE(context != nullptr, CUDA_ERROR_INVALID_VALUE);
  return primary->Retain(context);
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(device, &primary));
  return primary->Release();
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device) {
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(device, &primary));
  primary->Reset();
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned flags) {
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(device, &primary));
  SIMGPU_REQUIRE(simgpu::cuda::ValidContextFlags(flags), CUDA_ERROR_INVALID_VALUE);
  primary->SetFlags(flags);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned* flags, int* active) {
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(device, &primary));
  SIMGPU_REQUIRE(flags != nullptr && active != nullptr, CUDA_ERROR_INVALID_VALUE);
  *flags = primary->flags();
  *active = primary->active();
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return cuDevicePrimaryCtxRelease_v2(device); }

CUresult cuDevicePrimaryCtxReset(CUdevice device) { return cuDevicePrimaryCtxReset_v2(device); }

// Before CUDA 11 a live primary context kept its flags.
CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags) {
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(device, &primary));
  SIMGPU_REQUIRE(!primary->active(), CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE);
  return cuDevicePrimaryCtxSetFlags_v2(device, flags);
}

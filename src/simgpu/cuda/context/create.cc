// Contexts that the program creates and destroys.
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/context/flags.h"
#include "simgpu/cuda/device/visible.h"

using simgpu::cuda::CardOf;
using simgpu::cuda::Context;
using simgpu::cuda::ContextKind;
using simgpu::cuda::ContextStack;
using simgpu::cuda::CurrentContext;
using simgpu::cuda::Ready;
using simgpu::cuda::SpecOf;
using simgpu::cuda::ValidContextFlags;

namespace {

constexpr unsigned kOldApiVersion = 3010;  // what cuCtxCreate of CUDA 2 and 3 stands for
constexpr unsigned kApiVersion = 3020;

CUresult CreateAndPush(CUcontext* context, unsigned flags, CUdevice device, unsigned api_version) {
  int card = 0;
  SIMGPU_TRY(CardOf(device, &card));
  SIMGPU_REQUIRE(context != nullptr && ValidContextFlags(flags), CUDA_ERROR_INVALID_VALUE);
  std::shared_ptr<Context> made;
  SIMGPU_TRY(Context::Create({.kind = ContextKind::kCreated,
                              .device = device,
                              .card = card,
                              .flags = flags,
                              .api_version = api_version,
                              .sm_count = SpecOf(card).sm_count},
                             &made));
  *context = made->handle();
  ContextStack::Push(made->handle());
  return CUDA_SUCCESS;
}

CUresult CreatedContext(CUcontext handle, Context** context) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(handle != nullptr, CUDA_ERROR_INVALID_VALUE);
  *context = Context::From(handle);
  SIMGPU_REQUIRE(*context != nullptr && (*context)->kind() == ContextKind::kCreated,
                 CUDA_ERROR_INVALID_CONTEXT);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuCtxCreate(CUcontext* context, unsigned flags, CUdevice device) {
  return CreateAndPush(context, flags, device, kOldApiVersion);
}

CUresult cuCtxCreate_v2(CUcontext* context, unsigned flags, CUdevice device) {
  return CreateAndPush(context, flags, device, kApiVersion);
}

// Partitions of a card by execution affinity are a matter of MPS, which is not simulated.
CUresult cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam* params_array, int num_params,
                        unsigned flags, CUdevice device) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(num_params >= 0 && (num_params == 0 || params_array != nullptr),
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(num_params == 0, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  return CreateAndPush(context, flags, device, kApiVersion);
}

CUresult cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* ctx_create_params, unsigned flags,
                        CUdevice device) {
  if (ctx_create_params == nullptr) return CreateAndPush(context, flags, device, kApiVersion);
  SIMGPU_TRY(Ready());
  const CUctxCreateParams& params = *ctx_create_params;
  SIMGPU_REQUIRE(params.cigParams == nullptr || params.numExecAffinityParams == 0,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(params.cigParams == nullptr, CUDA_ERROR_NOT_SUPPORTED);
  return cuCtxCreate_v3(context, params.execAffinityParams, params.numExecAffinityParams, flags,
                        device);
}

CUresult cuCtxDestroy_v2(CUcontext context) {
  Context* found = nullptr;
  SIMGPU_TRY(CreatedContext(context, &found));
  if (ContextStack::Top() == context) ContextStack::Pop();
  found->Destroy();
  return CUDA_SUCCESS;
}

CUresult cuCtxDestroy(CUcontext context) { return cuCtxDestroy_v2(context); }

// Each attach needs a detach more before the context goes.
CUresult cuCtxAttach(CUcontext* context, unsigned flags) {
  Context* current = nullptr;
  SIMGPU_TRY(CurrentContext(&current));
  SIMGPU_REQUIRE(context != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  current->Attach();
  *context = current->handle();
  return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext context) {
  Context* found = nullptr;
  SIMGPU_TRY(CreatedContext(context, &found));
  SIMGPU_REQUIRE(ContextStack::Top() == context, CUDA_ERROR_INVALID_CONTEXT);
  return found->Detach() ? cuCtxDestroy_v2(context) : CUDA_SUCCESS;
}

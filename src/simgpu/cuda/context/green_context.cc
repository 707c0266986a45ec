#include "simgpu/cuda/context/green_context.h"

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/context/primary.h"
#include "simgpu/cuda/context/resource.h"
#include "simgpu/cuda/device/visible.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/stream/priority.h"
#include "simgpu/cuda/stream/stream.h"

using simgpu::cuda::Context;
using simgpu::cuda::ContextKind;
using simgpu::cuda::GreenContext;
using simgpu::cuda::PrimaryContext;
using simgpu::cuda::Ready;
using simgpu::cuda::ResourceDescriptor;
using simgpu::cuda::Stream;

namespace {

CUresult Find(CUgreenCtx handle, GreenContext** green) {
  SIMGPU_TRY(Ready());
  *green = GreenContext::From(handle);
  return *green != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult MakeGreen(CUdevice device, const ResourceDescriptor& descriptor, CUgreenCtx* handle) {
  std::shared_ptr<Context> context;
  SIMGPU_TRY(Context::Create({.kind = ContextKind::kGreen,
                              .device = device,
                              .card = descriptor.card(),
                              .sm_count = descriptor.sm_count()},
                             &context));
  auto green = std::make_unique<GreenContext>(context);
  SIMGPU_REQUIRE(green->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  context->set_green_handle(green->handle());
  *handle = green.release()->handle();  // the program's, until cuGreenCtxDestroy
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuGreenCtxCreate(CUgreenCtx* ctx, CUdevResourceDesc desc, CUdevice device,
                          unsigned flags) {
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(device, &primary));
  const ResourceDescriptor* const descriptor = ResourceDescriptor::From(desc);
  SIMGPU_REQUIRE(ctx != nullptr && descriptor != nullptr && flags == CU_GREEN_CTX_DEFAULT_STREAM,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(descriptor->card() == primary->context().card(), CUDA_ERROR_INVALID_DEVICE);
  CUcontext retained = nullptr;
  SIMGPU_TRY(primary->Retain(&retained));
  const CUresult result = MakeGreen(device, *descriptor, ctx);
  if (result != CUDA_SUCCESS) primary->Release();
  return result;
}

CUresult cuGreenCtxDestroy(CUgreenCtx ctx) {
  GreenContext* green = nullptr;
  SIMGPU_TRY(Find(ctx, &green));
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(green->context().device(), &primary));
  green->context().Destroy();
  delete green;
  return primary->Release();
}

CUresult cuCtxFromGreenCtx(CUcontext* context, CUgreenCtx ctx) {
  GreenContext* green = nullptr;
  SIMGPU_TRY(Find(ctx, &green));
  SIMGPU_REQUIRE(context != nullptr, CUDA_ERROR_INVALID_VALUE);
  *context = green->context().handle();
  return CUDA_SUCCESS;
}

CUresult cuGreenCtxGetDevResource(CUgreenCtx ctx, CUdevResource* resource, CUdevResourceType type) {
  GreenContext* green = nullptr;
  SIMGPU_TRY(Find(ctx, &green));
  return cuCtxGetDevResource(green->context().handle(), resource, type);
}

CUresult cuGreenCtxGetId(CUgreenCtx green_ctx, unsigned long long* green_ctx_id) {
  GreenContext* green = nullptr;
  SIMGPU_TRY(Find(green_ctx, &green));
  SIMGPU_REQUIRE(green_ctx_id != nullptr, CUDA_ERROR_INVALID_VALUE);
  *green_ctx_id = green->context().id();
  return CUDA_SUCCESS;
}

CUresult cuGreenCtxStreamCreate(CUstream* stream, CUgreenCtx green_ctx, unsigned flags,
                                int priority) {
  GreenContext* green = nullptr;
  SIMGPU_TRY(Find(green_ctx, &green));
  SIMGPU_REQUIRE(stream != nullptr && flags == CU_STREAM_NON_BLOCKING, CUDA_ERROR_INVALID_VALUE);
  const auto made = green->context().NewStream({.role = simgpu::cuda::StreamRole::kNonBlocking,
                                                .flags = flags,
                                                .priority = simgpu::cuda::ClampPriority(priority)});
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  *stream = made->handle();
  return CUDA_SUCCESS;
}

CUresult cuStreamGetGreenCtx(CUstream stream, CUgreenCtx* ctx) {
  Stream* found = nullptr;
  SIMGPU_TRY(Stream::Resolve(stream, simgpu::cuda::DefaultStream::kLegacy, &found));
  SIMGPU_REQUIRE(ctx != nullptr, CUDA_ERROR_INVALID_VALUE);
  *ctx = found->context().green_handle();
  return CUDA_SUCCESS;
}

CUresult cuGreenCtxRecordEvent(CUgreenCtx ctx, CUevent event) {
  GreenContext* green = nullptr;
  SIMGPU_TRY(Find(ctx, &green));
  return cuCtxRecordEvent(green->context().handle(), event);
}

CUresult cuGreenCtxWaitEvent(CUgreenCtx ctx, CUevent event) {
  GreenContext* green = nullptr;
  SIMGPU_TRY(Find(ctx, &green));
  return cuCtxWaitEvent(green->context().handle(), event);
}

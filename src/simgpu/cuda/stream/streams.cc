// Creating streams, waiting for them, and what they report of themselves.
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/context/primary.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/pool/release.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/stream/priority.h"
#include "simgpu/cuda/stream/stream.h"

using simgpu::cuda::Context;
using simgpu::cuda::DefaultStream;
using simgpu::cuda::PrimaryContext;
using simgpu::cuda::Ready;
using simgpu::cuda::Stream;
using simgpu::cuda::StreamRole;

namespace {

constexpr unsigned kKnownFlags = CU_STREAM_NON_BLOCKING;

CUresult Synchronize(CUstream handle, DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  SIMGPU_TRY(simgpu::cuda::RefuseWaiting(*stream));
  SIMGPU_TRY(stream->Synchronize());
  simgpu::cuda::ReleasePoolExcess();
  return CUDA_SUCCESS;
}

CUresult Query(CUstream handle, DefaultStream mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  SIMGPU_TRY(simgpu::cuda::RefuseWaiting(*stream));
  return stream->Query();
}

// One value that a stream reports: `get` reads it from the stream.
template <class Value, class Get>
CUresult Report(CUstream handle, DefaultStream mode, Value* value, Get get) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  SIMGPU_REQUIRE(value != nullptr, CUDA_ERROR_INVALID_VALUE);
  *value = get(*stream);
  return CUDA_SUCCESS;
}

int PriorityOf(const Stream& stream) { return stream.spec().priority; }
unsigned FlagsOf(const Stream& stream) { return stream.spec().flags; }
unsigned long long IdOf(const Stream& stream) { return stream.id(); }
CUdevice DeviceOfStream(const Stream& stream) { return stream.context().device(); }
CUcontext ContextOf(const Stream& stream) { return stream.context().handle(); }

// Beside a green context stands its device's primary one, which is live as long as it is.
CUresult ReportContext(CUstream handle, DefaultStream mode, CUcontext* context, CUgreenCtx* green) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, mode, &stream));
  SIMGPU_REQUIRE(context != nullptr && green != nullptr, CUDA_ERROR_INVALID_VALUE);
  *green = stream->context().green_handle();
  if (*green == nullptr) {
    *context = stream->context().handle();
    return CUDA_SUCCESS;
  }
  PrimaryContext* primary = nullptr;
  SIMGPU_TRY(PrimaryContext::Of(stream->context().device(), &primary));
  *context = primary->context().handle();
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cuStreamCreateWithPriority(CUstream* stream, unsigned flags, int priority) {
  Context* context = nullptr;
  SIMGPU_TRY(simgpu::cuda::CurrentContext(&context));
  SIMGPU_REQUIRE(stream != nullptr && (flags & ~kKnownFlags) == 0, CUDA_ERROR_INVALID_VALUE);
  const bool blocking = (flags & CU_STREAM_NON_BLOCKING) == 0;
  const auto made =
      context->NewStream({.role = blocking ? StreamRole::kBlocking : StreamRole::kNonBlocking,
                          .flags = flags,
                          .priority = simgpu::cuda::ClampPriority(priority)});
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  *stream = made->handle();
  return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream* stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, simgpu::cuda::kLeastPriority);
}

// Default streams have no handle that could be destroyed.
CUresult cuStreamDestroy_v2(CUstream stream) {
  SIMGPU_TRY(Ready());
  Stream* const found = Stream::From(stream);
  SIMGPU_REQUIRE(found != nullptr, CUDA_ERROR_INVALID_HANDLE);
  found->Destroy();
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy(CUstream stream) { return cuStreamDestroy_v2(stream); }

CUresult cuStreamSynchronize(CUstream stream) {
  return Synchronize(stream, DefaultStream::kLegacy);
}
CUresult cuStreamSynchronize_ptsz(CUstream stream) {
  return Synchronize(stream, DefaultStream::kPerThread);
}

CUresult cuStreamQuery(CUstream stream) { return Query(stream, DefaultStream::kLegacy); }
CUresult cuStreamQuery_ptsz(CUstream stream) { return Query(stream, DefaultStream::kPerThread); }

CUresult cuStreamGetPriority(CUstream stream, int* priority) {
  return Report(stream, DefaultStream::kLegacy, priority, PriorityOf);
}
CUresult cuStreamGetPriority_ptsz(CUstream stream, int* priority) {
  return Report(stream, DefaultStream::kPerThread, priority, PriorityOf);
}

CUresult cuStreamGetFlags(CUstream stream, unsigned* flags) {
  return Report(stream, DefaultStream::kLegacy, flags, FlagsOf);
}
CUresult cuStreamGetFlags_ptsz(CUstream stream, unsigned* flags) {
  return Report(stream, DefaultStream::kPerThread, flags, FlagsOf);
}

CUresult cuStreamGetId(CUstream stream, unsigned long long* stream_id) {
  return Report(stream, DefaultStream::kLegacy, stream_id, IdOf);
}
CUresult cuStreamGetId_ptsz(CUstream stream, unsigned long long* stream_id) {
  return Report(stream, DefaultStream::kPerThread, stream_id, IdOf);
}

CUresult cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return Report(stream, DefaultStream::kLegacy, device, DeviceOfStream);
}
CUresult cuStreamGetDevice_ptsz(CUstream stream, CUdevice* device) {
  return Report(stream, DefaultStream::kPerThread, device, DeviceOfStream);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return Report(stream, DefaultStream::kLegacy, context, ContextOf);
}
CUresult cuStreamGetCtx_ptsz(CUstream stream, CUcontext* context) {
  return Report(stream, DefaultStream::kPerThread, context, ContextOf);
}

CUresult cuStreamGetCtx_v2(CUstream stream, CUcontext* context, CUgreenCtx* green_ctx) {
  return ReportContext(stream, DefaultStream::kLegacy, context, green_ctx);
}
CUresult cuStreamGetCtx_v2_ptsz(CUstream stream, CUcontext* context, CUgreenCtx* green_ctx) {
  return ReportContext(stream, DefaultStream::kPerThread, context, green_ctx);
}

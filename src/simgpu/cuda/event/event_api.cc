#include <cstring>

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/event/event.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/pool/release.h"
#include "simgpu/cuda/stream/api.h"
#include "simgpu/cuda/stream/stream.h"

using simgpu::cuda::Context;
using simgpu::cuda::CurrentContext;
using simgpu::cuda::DefaultStream;
using simgpu::cuda::Event;
using simgpu::cuda::EventParams;
using simgpu::cuda::NodeParams;
using simgpu::cuda::SharedEventName;
using simgpu::cuda::Stream;

namespace {

constexpr unsigned kKnownFlags =
    CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

CUresult Find(CUevent handle, Event** event) {
  SIMGPU_TRY(simgpu::cuda::Ready());
  *event = Event::From(handle);
  SIMGPU_REQUIRE(*event != nullptr, CUDA_ERROR_INVALID_HANDLE);
  return CUDA_SUCCESS;
}

CUresult CaptureEventNode(Stream& stream, CUevent event, bool record) {
  NodeParams node = EventParams{event, record};
  return simgpu::cuda::CaptureNode(stream, node);
}

CUresult Record(CUevent handle, CUstream stream_handle, DefaultStream mode, unsigned flags) {
  Stream* stream = nullptr;
  SIMGPU_TRY(simgpu::cuda::ResolveForWork(stream_handle, mode, &stream));
  Event* event = nullptr;
  SIMGPU_TRY(Find(handle, &event));
  SIMGPU_REQUIRE(flags <= CU_EVENT_RECORD_EXTERNAL, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(event->context().card() == stream->context().card(), CUDA_ERROR_INVALID_HANDLE);
  const bool external = flags == CU_EVENT_RECORD_EXTERNAL;
  if (stream->capturing()) {
    return external ? CaptureEventNode(*stream, handle, /*record=*/true)
                    : simgpu::cuda::RecordInCapture(*stream, *event);
  }
  SIMGPU_REQUIRE(!external, CUDA_ERROR_INVALID_VALUE);
  return event->Record(*stream);
}

CUresult Wait(CUstream stream_handle, DefaultStream mode, CUevent handle, unsigned flags) {
  Stream* stream = nullptr;
  SIMGPU_TRY(simgpu::cuda::ResolveForWork(stream_handle, mode, &stream));
  Event* event = nullptr;
  SIMGPU_TRY(Find(handle, &event));
  SIMGPU_REQUIRE(flags <= CU_EVENT_WAIT_EXTERNAL, CUDA_ERROR_INVALID_VALUE);
  if (flags == CU_EVENT_WAIT_EXTERNAL) {
    SIMGPU_REQUIRE(stream->capturing(), CUDA_ERROR_INVALID_VALUE);
    return CaptureEventNode(*stream, handle, /*record=*/false);
  }
  if (stream->capturing() || event->captured() != nullptr) {
    return simgpu::cuda::WaitInCapture(*stream, *event);
  }
  std::optional<simgpu::cuda::Op> wait = event->WaitOp();
  return wait.has_value() ? stream->Enqueue(std::move(*wait)) : CUDA_SUCCESS;
}

}  // namespace

CUresult cuEventCreate(CUevent* event, unsigned flags) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  const bool interprocess = (flags & CU_EVENT_INTERPROCESS) != 0;
  const bool timed = (flags & CU_EVENT_DISABLE_TIMING) == 0;
  SIMGPU_REQUIRE(event != nullptr && (flags & ~kKnownFlags) == 0 && !(interprocess && timed),
                 CUDA_ERROR_INVALID_VALUE);
  Event* made = nullptr;
  SIMGPU_TRY(Event::Create(*context, flags, &made));
  *event = made->handle();
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event) {
  Event* found = nullptr;
  SIMGPU_TRY(Find(event, &found));
  found->Destroy();
  return CUDA_SUCCESS;
}

CUresult cuEventDestroy(CUevent event) { return cuEventDestroy_v2(event); }

CUresult cuEventQuery(CUevent event) {
  Event* found = nullptr;
  SIMGPU_TRY(Find(event, &found));
  SIMGPU_TRY(simgpu::cuda::RefuseWhileCapturing());
  return found->Query();
}

CUresult cuEventSynchronize(CUevent event) {
  Event* found = nullptr;
  SIMGPU_TRY(Find(event, &found));
  SIMGPU_TRY(simgpu::cuda::RefuseWhileCapturing());
  SIMGPU_TRY(found->Synchronize());
  simgpu::cuda::ReleasePoolExcess();
  return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  Event* first = nullptr;
  Event* second = nullptr;
  SIMGPU_TRY(Find(start, &first));
  SIMGPU_TRY(Find(end, &second));
  SIMGPU_REQUIRE(milliseconds != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Event::Elapsed(*first, *second, milliseconds);
}

CUresult cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return cuEventElapsedTime_v2(milliseconds, start, end);
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  return Record(event, stream, DefaultStream::kLegacy, CU_EVENT_RECORD_DEFAULT);
}
CUresult cuEventRecord_ptsz(CUevent event, CUstream stream) {
  return Record(event, stream, DefaultStream::kPerThread, CU_EVENT_RECORD_DEFAULT);
}
CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned flags) {
  return Record(event, stream, DefaultStream::kLegacy, flags);
}
CUresult cuEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned flags) {
  return Record(event, stream, DefaultStream::kPerThread, flags);
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  return Wait(stream, DefaultStream::kLegacy, event, flags);
}
CUresult cuStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned flags) {
  return Wait(stream, DefaultStream::kPerThread, event, flags);
}

CUresult cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event) {
  Event* found = nullptr;
  SIMGPU_TRY(Find(event, &found));
  SIMGPU_REQUIRE(handle != nullptr, CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(found->shared() != nullptr, CUDA_ERROR_INVALID_HANDLE);
  static_assert(sizeof(SharedEventName) <= sizeof(CUipcEventHandle));
  *handle = {};
  const SharedEventName name = found->shared()->name();
  std::memcpy(handle->reserved, &name, sizeof(name));
  return CUDA_SUCCESS;
}

CUresult cuIpcOpenEventHandle(CUevent* event, CUipcEventHandle handle) {
  Context* context = nullptr;
  SIMGPU_TRY(CurrentContext(&context));
  SIMGPU_REQUIRE(event != nullptr, CUDA_ERROR_INVALID_VALUE);
  SharedEventName name;
  std::memcpy(&name, handle.reserved, sizeof(name));
  Event* opened = nullptr;
  SIMGPU_TRY(Event::Open(*context, name, &opened));
  *event = opened->handle();
  return CUDA_SUCCESS;
}

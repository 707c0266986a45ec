// Events of whole contexts: what all streams of a context have been given so far, and waits of all
// of its streams.
#include <algorithm>
#include <utility>

#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/event/event.h"
#include "simgpu/cuda/stream/stream.h"
#include "simgpu/cuda/stream/stream_queue.h"

using simgpu::cuda::Context;
using simgpu::cuda::Event;
using simgpu::cuda::Op;
using simgpu::cuda::QueueSpec;
using simgpu::cuda::StreamQueue;

namespace {

CUresult Find(CUcontext context_handle, CUevent event_handle, Context** context, Event** event) {
  SIMGPU_TRY(simgpu::cuda::NamedOrCurrentContext(context_handle, context));
  *event = Event::From(event_handle);
  SIMGPU_REQUIRE(*event != nullptr, CUDA_ERROR_INVALID_HANDLE);
  const auto streams = (*context)->Streams();
  const bool capturing = std::any_of(streams.begin(), streams.end(),
                                     [](const auto& stream) { return stream->capturing(); });
  return capturing ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

}  // namespace

CUresult cuCtxRecordEvent(CUcontext ctx, CUevent event) {
  Context* context = nullptr;
  Event* found = nullptr;
  SIMGPU_TRY(Find(ctx, event, &context, &found));
  SIMGPU_REQUIRE(found->context().card() == context->card(), CUDA_ERROR_INVALID_HANDLE);
  std::vector<Op> ops;
  for (const auto& mark : context->Marks()) ops.push_back(Op::Wait(mark));
  for (Op& op : found->RecordOps()) ops.push_back(std::move(op));
  std::make_shared<StreamQueue>(QueueSpec{.card = context->card(), .group = nullptr})
      ->EnqueueAll(std::move(ops));
  return CUDA_SUCCESS;
}

// Streams made later begin after it as well as they can: the event is usually reached by then.
CUresult cuCtxWaitEvent(CUcontext ctx, CUevent event) {
  Context* context = nullptr;
  Event* found = nullptr;
  SIMGPU_TRY(Find(ctx, event, &context, &found));
  SIMGPU_REQUIRE(found->captured() == nullptr, CUDA_ERROR_CAPTURED_EVENT);
  context->LegacyStream();
  for (const auto& stream : context->Streams()) {
    if (std::optional<Op> wait = found->WaitOp()) SIMGPU_TRY(stream->Enqueue(std::move(*wait)));
  }
  return CUDA_SUCCESS;
}

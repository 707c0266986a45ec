#include "simgpu/cuda/graph/capture.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/event/event.h"
#include "simgpu/cuda/graph/capture_mode.h"
#include "simgpu/cuda/graph/capture_state.h"
#include "simgpu/cuda/graph/lock.h"

namespace simgpu::cuda {
namespace {

// Whether a capture forbids unsafe calls to the calling thread.
bool Forbids(const Capture& capture) {
  const CUstreamCaptureMode thread_mode = ThreadCaptureMode();
  if (thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return false;
  if (capture.ByThisThread()) return capture.mode() != CU_STREAM_CAPTURE_MODE_RELAXED;
  return thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
         capture.mode() == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

CUresult CheckActive(const Capture& capture) {
  return capture.state() == CaptureState::kActive ? CUDA_SUCCESS
                                                  : CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
}

CUresult Spoiled(Capture& capture, CUresult error) {
  capture.Spoil();
  return error;
}

}  // namespace

CUresult CaptureNode(Stream& stream, NodeParams& params) {
  const GraphLock lock;
  const std::shared_ptr<Capture> capture = stream.capture();
  SIMGPU_REQUIRE(capture != nullptr, CUDA_ERROR_ILLEGAL_STATE);
  SIMGPU_TRY(CheckActive(*capture));
  SIMGPU_TRY(PrepareNode(params));
  return capture->AddNode(stream, params);
}

CUresult RefuseWhileCapturing() {
  if (!AnyCapture()) return CUDA_SUCCESS;
  const GraphLock lock;
  bool refused = false;
  for (Capture* const capture : Capture::All()) {
    if (!Forbids(*capture)) continue;
    capture->Spoil();
    refused = true;
  }
  return refused ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

CUresult RefuseLegacyWhileCapturing(Context& context) {
  if (!AnyCapture()) return CUDA_SUCCESS;
  const auto streams = context.Streams();
  const GraphLock lock;
  bool refused = false;
  for (const std::shared_ptr<Stream>& stream : streams) {
    if (stream->spec().role != StreamRole::kBlocking || stream->capture() == nullptr) continue;
    stream->capture()->Spoil();
    refused = true;
  }
  return refused ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT : CUDA_SUCCESS;
}

CUresult ResolveForWork(CUstream handle, DefaultStream mode, Stream** stream) {
  SIMGPU_TRY(Stream::Resolve(handle, mode, stream));
  if ((*stream)->spec().role != StreamRole::kLegacy) return CUDA_SUCCESS;
  return RefuseLegacyWhileCapturing((*stream)->context());
}

CUresult RefuseWaiting(Stream& stream) {
  if (stream.capturing()) return SpoilCapture(stream);
  if (stream.spec().role != StreamRole::kLegacy) return CUDA_SUCCESS;
  return RefuseLegacyWhileCapturing(stream.context());
}

CUresult SpoilCapture(Stream& stream) {
  const GraphLock lock;
  if (stream.capture() != nullptr) stream.capture()->Spoil();
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

void EndCaptureOfDestroyed(Stream& stream) {
  if (!stream.capturing()) return;
  const GraphLock lock;
  const std::shared_ptr<Capture> capture = stream.capture();
  if (capture == nullptr) return;
  if (!capture->IsOrigin(stream)) {
    capture->Leave(stream);
    return;
  }
  capture->Spoil();
  capture->End();
  CountCapture(-1);
}

CUresult RecordInCapture(Stream& stream, Event& event) {
  const GraphLock lock;
  const std::shared_ptr<Capture>& capture = stream.capture();
  SIMGPU_REQUIRE(capture != nullptr, CUDA_ERROR_ILLEGAL_STATE);
  SIMGPU_TRY(CheckActive(*capture));
  event.set_captured(
      std::make_shared<CapturedPoint>(CapturedPoint{capture, capture->FrontierOf(stream)}));
  return CUDA_SUCCESS;
}

CUresult WaitInCapture(Stream& stream, Event& event) {
  const GraphLock lock;
  const std::shared_ptr<Capture> capture = stream.capture();
  const std::shared_ptr<const CapturedPoint> point = event.captured();
  const bool dangling = point == nullptr || point->capture->state() == CaptureState::kEnded;
  if (capture == nullptr) {
    SIMGPU_REQUIRE(!dangling, CUDA_ERROR_CAPTURED_EVENT);
    if (stream.spec().role == StreamRole::kLegacy) {
      return Spoiled(*point->capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
    }
    SIMGPU_TRY(CheckActive(*point->capture));
    point->capture->Join(stream, point->frontier);
    return CUDA_SUCCESS;
  }
  SIMGPU_TRY(CheckActive(*capture));
  if (dangling) return Spoiled(*capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  if (point->capture != capture) {
    point->capture->Spoil();
    return Spoiled(*capture, CUDA_ERROR_STREAM_CAPTURE_MERGE);
  }
  MergeEdges(capture->FrontierOf(stream), point->frontier);
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

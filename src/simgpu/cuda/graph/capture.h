// Stream capture, for the topics that enqueue work or could break a capture. While a stream is
// being captured, work becomes nodes of a graph: functions that enqueue ask `stream.capturing()`
// first and call CaptureNode then.
#pragma once

#include "simgpu/cuda/graph/node_params.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/stream.h"

namespace simgpu::cuda {

class Context;
class Event;

// Adds a node after what was captured in the stream so far. The answer of the calling function:
// CUDA_ERROR_STREAM_CAPTURE_INVALIDATED when an earlier mistake spoiled the capture. An allocation
// node gets its address written into `params`.
CUresult CaptureNode(Stream& stream, NodeParams& params);

// For calls that could break a capture (allocations, frees, synchronisation, queries of events):
// refused with CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, and the captures spoiled, while one is in
// force that forbids them to the calling thread (cuThreadExchangeStreamCaptureMode).
CUresult RefuseWhileCapturing();

// For work on the legacy default stream: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT while a blocking stream
// of the context is being captured.
CUresult RefuseLegacyWhileCapturing(Context& context);

// Stream::Resolve for calls that enqueue work: with that check for the legacy default stream.
CUresult ResolveForWork(CUstream handle, DefaultStream mode, Stream** stream);

// For calls that wait for a stream, or ask whether it is done: not while it is being captured.
CUresult RefuseWaiting(Stream& stream);

// Work that cannot be captured: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, and the capture is spoiled.
CUresult SpoilCapture(Stream& stream);

// A stream that is destroyed leaves its capture; one that began it ends it without a graph.
void EndCaptureOfDestroyed(Stream& stream);

// cuEventRecord in a captured stream: the event stands for what was captured so far.
CUresult RecordInCapture(Stream& stream, Event& event);

// cuStreamWaitEvent where the stream is being captured, or the event was recorded in a capture: the
// stream joins the capture, or waits in it.
CUresult WaitInCapture(Stream& stream, Event& event);

}  // namespace simgpu::cuda

// Stream capture: while a stream is being captured, work becomes nodes of a graph instead of being
// enqueued. Functions that enqueue work ask `stream.capturing()` first and call CaptureNode then.
#pragma once

#include <memory>
#include <vector>

#include "simgpu/cuda/graph/node_params.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/stream.h"

namespace simgpu::cuda {

// Adds a node after what was captured in the stream so far. The answer of the calling function:
// CUDA_ERROR_STREAM_CAPTURE_INVALIDATED when an earlier mistake spoiled the capture. An allocation
// node gets its address written into `params`.
CUresult CaptureNode(Stream& stream, NodeParams& params);

// For calls that could break a capture (allocations, frees, synchronisation, queries of events):
// refused with CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, and the captures spoiled, while one is in
// force that forbids them to the calling thread (cuThreadExchangeStreamCaptureMode).
CUresult RefuseWhileCapturing();

// For synchronous calls on the legacy default stream: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT while a
// blocking stream of the context is being captured.
CUresult RefuseLegacyWhileCapturing(Context& context);

}  // namespace simgpu::cuda

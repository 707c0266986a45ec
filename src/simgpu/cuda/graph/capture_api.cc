#include "simgpu/cuda/graph/capture_api.h"

#include <utility>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/graph/capture_mode.h"
#include "simgpu/cuda/graph/capture_state.h"
#include "simgpu/cuda/graph/edges.h"
#include "simgpu/cuda/graph/lock.h"

namespace simgpu::cuda {
namespace {

bool ValidMode(CUstreamCaptureMode mode) {
  return mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED;
}

// The legacy default stream cannot be captured.
CUresult ResolveForCapture(CUstream handle, DefaultStream default_stream, CUstreamCaptureMode mode,
                           Stream** stream) {
  SIMGPU_TRY(Stream::Resolve(handle, default_stream, stream));
  SIMGPU_REQUIRE(ValidMode(mode), CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE((*stream)->spec().role != StreamRole::kLegacy,
                 CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  SIMGPU_REQUIRE(!(*stream)->capturing(), CUDA_ERROR_ILLEGAL_STATE);
  return CUDA_SUCCESS;
}

void Start(Stream& stream, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph, bool own_graph,
           const std::vector<GraphEdge>& frontier) {
  const auto capture = std::make_shared<Capture>(stream, mode, std::move(graph), own_graph);
  capture->Begin(frontier);
  CountCapture(+1);
}

CUresult BeginCapture(CUstream handle, DefaultStream default_stream, CUstreamCaptureMode mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(ResolveForCapture(handle, default_stream, mode, &stream));
  const GraphLock lock;
  Start(*stream, mode, Graph::Create(), /*own_graph=*/true, {});
  return CUDA_SUCCESS;
}

CUresult BeginCaptureToGraph(CUstream handle, DefaultStream default_stream, CUgraph graph_handle,
                             const EdgeList& dependencies, CUstreamCaptureMode mode) {
  Stream* stream = nullptr;
  SIMGPU_TRY(ResolveForCapture(handle, default_stream, mode, &stream));
  const GraphLock lock;
  Graph* const graph = Graph::From(graph_handle);
  SIMGPU_REQUIRE(graph != nullptr, CUDA_ERROR_INVALID_VALUE);
  std::vector<GraphEdge> frontier;
  SIMGPU_TRY(ResolveEdges(dependencies, &frontier));
  Start(*stream, mode, graph->shared_from_this(), /*own_graph=*/false, frontier);
  return CUDA_SUCCESS;
}

// Why a capture that is being ended gives no graph.
CUresult EndError(const Capture& capture) {
  if (capture.state() == CaptureState::kSpoiled) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (capture.HasUnjoinedWork()) return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  return CUDA_SUCCESS;
}

CUresult EndCapture(CUstream handle, DefaultStream default_stream, CUgraph* graph) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, default_stream, &stream));
  SIMGPU_REQUIRE(graph != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  const std::shared_ptr<Capture> capture = stream->capture();
  SIMGPU_REQUIRE(capture != nullptr, CUDA_ERROR_ILLEGAL_STATE);
  if (!capture->IsOrigin(*stream)) {
    capture->Spoil();
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  SIMGPU_REQUIRE(capture->mode() == CU_STREAM_CAPTURE_MODE_RELAXED || capture->ByThisThread(),
                 CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  const CUresult error = EndError(*capture);
  capture->End();
  CountCapture(-1);
  *graph = error == CUDA_SUCCESS ? capture->graph().handle() : nullptr;
  if (error != CUDA_SUCCESS && capture->own_graph()) capture->graph().Destroy();
  return error;
}

// What is known of a stream's capture; the caller says which answers it wants.
struct Asked {
  CUstreamCaptureStatus* status = nullptr;
  uint64_t* id = nullptr;
  CUgraph* graph = nullptr;
  const CUgraphNode** nodes = nullptr;
  const CUgraphEdgeData** edges = nullptr;
  size_t* count = nullptr;
};

CUresult Answer(Capture& capture, const Stream& stream, const Asked& asked) {
  const bool active = capture.state() == CaptureState::kActive;
  *asked.status = active ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  if (!active) return CUDA_SUCCESS;
  if (asked.id != nullptr) *asked.id = capture.id();
  if (asked.graph != nullptr) *asked.graph = capture.graph().handle();
  const Capture::Report& report = capture.ReportOf(stream);
  if (asked.edges == nullptr && asked.nodes != nullptr) {
    for (const CUgraphEdgeData& edge : report.edges) {
      SIMGPU_REQUIRE(IsPlain(edge), CUDA_ERROR_LOSSY_QUERY);
    }
  }
  if (asked.nodes != nullptr) *asked.nodes = report.nodes.data();
  if (asked.edges != nullptr) *asked.edges = report.edges.data();
  if (asked.count != nullptr) *asked.count = report.nodes.size();
  return CUDA_SUCCESS;
}

CUresult Info(CUstream handle, DefaultStream default_stream, const Asked& asked) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, default_stream, &stream));
  SIMGPU_REQUIRE(asked.status != nullptr, CUDA_ERROR_INVALID_VALUE);
  if (stream->spec().role == StreamRole::kLegacy) {
    SIMGPU_TRY(RefuseLegacyWhileCapturing(stream->context()));
  }
  *asked.status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (!stream->capturing()) return CUDA_SUCCESS;
  const GraphLock lock;
  const std::shared_ptr<Capture> capture = stream->capture();
  return capture == nullptr ? CUDA_SUCCESS : Answer(*capture, *stream, asked);
}

CUresult UpdateDependencies(CUstream handle, DefaultStream default_stream,
                            const EdgeList& dependencies, unsigned flags) {
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(handle, default_stream, &stream));
  SIMGPU_REQUIRE(flags <= CU_STREAM_SET_CAPTURE_DEPENDENCIES, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  const std::shared_ptr<Capture> capture = stream->capture();
  SIMGPU_REQUIRE(capture != nullptr, CUDA_ERROR_ILLEGAL_STATE);
  SIMGPU_REQUIRE(capture->state() == CaptureState::kActive, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  std::vector<GraphEdge> edges;
  SIMGPU_TRY(ResolveEdges(dependencies, &edges));
  for (const GraphEdge& edge : edges) {
    SIMGPU_REQUIRE(&edge.node->graph() == &capture->graph(), CUDA_ERROR_INVALID_VALUE);
  }
  std::vector<GraphEdge>& frontier = capture->FrontierOf(*stream);
  if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) frontier.clear();
  MergeEdges(frontier, edges);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace simgpu::cuda

using simgpu::cuda::BeginCapture;
using simgpu::cuda::BeginCaptureToGraph;
using simgpu::cuda::DefaultStream;
using simgpu::cuda::EndCapture;
using simgpu::cuda::Info;
using simgpu::cuda::UpdateDependencies;

CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  SIMGPU_TRY(simgpu::cuda::Ready());
  SIMGPU_REQUIRE(mode != nullptr && simgpu::cuda::ValidMode(*mode), CUDA_ERROR_INVALID_VALUE);
  *mode = simgpu::cuda::ExchangeThreadCaptureMode(*mode);
  return CUDA_SUCCESS;
}

CUresult cuStreamBeginCapture(CUstream stream) {
  return BeginCapture(stream, DefaultStream::kLegacy, CU_STREAM_CAPTURE_MODE_GLOBAL);
}
CUresult cuStreamBeginCapture_ptsz(CUstream stream) {
  return BeginCapture(stream, DefaultStream::kPerThread, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return BeginCapture(stream, DefaultStream::kLegacy, mode);
}
CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, CUstreamCaptureMode mode) {
  return BeginCapture(stream, DefaultStream::kPerThread, mode);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                     const CUgraphNode* dependencies,
                                     const CUgraphEdgeData* dependency_data, size_t count,
                                     CUstreamCaptureMode mode) {
  return BeginCaptureToGraph(stream, DefaultStream::kLegacy, graph,
                             {dependencies, dependency_data, count}, mode);
}
CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph,
                                          const CUgraphNode* dependencies,
                                          const CUgraphEdgeData* dependency_data, size_t count,
                                          CUstreamCaptureMode mode) {
  return BeginCaptureToGraph(stream, DefaultStream::kPerThread, graph,
                             {dependencies, dependency_data, count}, mode);
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return EndCapture(stream, DefaultStream::kLegacy, graph);
}
CUresult cuStreamEndCapture_ptsz(CUstream stream, CUgraph* graph) {
  return EndCapture(stream, DefaultStream::kPerThread, graph);
}

CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* capture_status) {
  return Info(stream, DefaultStream::kLegacy, {.status = capture_status});
}
CUresult cuStreamIsCapturing_ptsz(CUstream stream, CUstreamCaptureStatus* capture_status) {
  return Info(stream, DefaultStream::kPerThread, {.status = capture_status});
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* capture_status,
                                uint64_t* id) {
  return Info(stream, DefaultStream::kLegacy, {.status = capture_status, .id = id});
}
CUresult cuStreamGetCaptureInfo_ptsz(CUstream stream, CUstreamCaptureStatus* capture_status,
                                     uint64_t* id) {
  return Info(stream, DefaultStream::kPerThread, {.status = capture_status, .id = id});
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* capture_status,
                                   uint64_t* id, CUgraph* graph, const CUgraphNode** dependencies,
                                   size_t* num_dependencies) {
  return Info(stream, DefaultStream::kLegacy,
              {.status = capture_status,
               .id = id,
               .graph = graph,
               .nodes = dependencies,
               .count = num_dependencies});
}
CUresult cuStreamGetCaptureInfo_v2_ptsz(CUstream stream, CUstreamCaptureStatus* capture_status,
                                        uint64_t* id, CUgraph* graph,
                                        const CUgraphNode** dependencies,
                                        size_t* num_dependencies) {
  return Info(stream, DefaultStream::kPerThread,
              {.status = capture_status,
               .id = id,
               .graph = graph,
               .nodes = dependencies,
               .count = num_dependencies});
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus* capture_status,
                                   uint64_t* id, CUgraph* graph, const CUgraphNode** dependencies,
                                   const CUgraphEdgeData** edge_data, size_t* num_dependencies) {
  return Info(stream, DefaultStream::kLegacy,
              {capture_status, id, graph, dependencies, edge_data, num_dependencies});
}
CUresult cuStreamGetCaptureInfo_v3_ptsz(CUstream stream, CUstreamCaptureStatus* capture_status,
                                        uint64_t* id, CUgraph* graph,
                                        const CUgraphNode** dependencies,
                                        const CUgraphEdgeData** edge_data,
                                        size_t* num_dependencies) {
  return Info(stream, DefaultStream::kPerThread,
              {capture_status, id, graph, dependencies, edge_data, num_dependencies});
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count,
                                           unsigned flags) {
  return UpdateDependencies(stream, DefaultStream::kLegacy, {dependencies, nullptr, count}, flags);
}
CUresult cuStreamUpdateCaptureDependencies_ptsz(CUstream stream, CUgraphNode* dependencies,
                                                size_t count, unsigned flags) {
  return UpdateDependencies(stream, DefaultStream::kPerThread, {dependencies, nullptr, count},
                            flags);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode* dependencies,
                                              const CUgraphEdgeData* dependency_data, size_t count,
                                              unsigned flags) {
  return UpdateDependencies(stream, DefaultStream::kLegacy, {dependencies, dependency_data, count},
                            flags);
}
CUresult cuStreamUpdateCaptureDependencies_v2_ptsz(CUstream stream, CUgraphNode* dependencies,
                                                   const CUgraphEdgeData* dependency_data,
                                                   size_t count, unsigned flags) {
  return UpdateDependencies(stream, DefaultStream::kPerThread,
                            {dependencies, dependency_data, count}, flags);
}

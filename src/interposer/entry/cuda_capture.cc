// Streams that begin and end to record a graph: while there are none, nobody has to ask.
#include "interposer/compute/metering.h"
#include "interposer/dispatch/driver.h"

using namespace warpshare::interposer;

namespace {

// Counted before it begins: a thread that sees the stream record must see the count.
template <typename Call>
CUresult BeginCapture(Call call) {
  if (Session::Current() == nullptr) return call();
  Metering& metering = Metering::OfProcess();
  metering.CaptureBegan();
  const CUresult result = call();
  if (result != CUDA_SUCCESS) metering.CaptureEnded();
  return result;
}

// The result does not tell: a capture that was spoiled ends with an error, while a call from the
// wrong thread, or for another stream than it began in, leaves the stream recording.
template <typename Call>
CUresult EndCapture(CUstream stream, Call call) {
  if (Session::Current() == nullptr) return call();
  const bool recorded = IsCapturing(stream);
  const CUresult result = call();
  if (recorded && !IsCapturing(stream)) Metering::OfProcess().CaptureEnded();
  return result;
}

}  // namespace

WARPSHARE_HOOK CUresult cuStreamBeginCapture(CUstream stream) {
  return BeginCapture([=] { return REAL(cuStreamBeginCapture)(stream); });
}
WARPSHARE_HOOK CUresult cuStreamBeginCapture_ptsz(CUstream stream) {
  return BeginCapture([=] { return REAL(cuStreamBeginCapture_ptsz)(stream); });
}
WARPSHARE_HOOK CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  return BeginCapture([=] { return REAL(cuStreamBeginCapture_v2)(stream, mode); });
}
WARPSHARE_HOOK CUresult cuStreamBeginCapture_v2_ptsz(CUstream stream, CUstreamCaptureMode mode) {
  return BeginCapture([=] { return REAL(cuStreamBeginCapture_v2_ptsz)(stream, mode); });
}
WARPSHARE_HOOK CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                                    const CUgraphNode* nodes,
                                                    const CUgraphEdgeData* edges, size_t count,
                                                    CUstreamCaptureMode mode) {
  return BeginCapture(
      [=] { return REAL(cuStreamBeginCaptureToGraph)(stream, graph, nodes, edges, count, mode); });
}
WARPSHARE_HOOK CUresult cuStreamBeginCaptureToGraph_ptsz(CUstream stream, CUgraph graph,
                                                         const CUgraphNode* nodes,
                                                         const CUgraphEdgeData* edges, size_t count,
                                                         CUstreamCaptureMode mode) {
  return BeginCapture([=] {
    return REAL(cuStreamBeginCaptureToGraph_ptsz)(stream, graph, nodes, edges, count, mode);
  });
}

WARPSHARE_HOOK CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return EndCapture(Legacy(stream), [=] { return REAL(cuStreamEndCapture)(stream, graph); });
}
WARPSHARE_HOOK CUresult cuStreamEndCapture_ptsz(CUstream stream, CUgraph* graph) {
  return EndCapture(PerThread(stream),
                    [=] { return REAL(cuStreamEndCapture_ptsz)(stream, graph); });
}

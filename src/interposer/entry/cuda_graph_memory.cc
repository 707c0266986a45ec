// Graphs: the memory that their allocation nodes and they themselves take of the card, and the time
// that they run.
#include "interposer/accounts/accounts.h"
#include "interposer/accounts/graph_code.h"
#include "interposer/compute/metering.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"

using namespace warpshare::interposer;

namespace {

GraphMemory& Memory() { return Accounts::OfProcess().graph_memory; }

CUresult Instantiate(CUgraphExec* exec, CUgraph graph, bool uploads, DriverCall call) {
  return MakeExecutable(exec, graph,
                        [=] { return Memory().Instantiate(exec, graph, uploads, call); });
}

CUresult Launch(CUgraphExec exec, CUstream stream, DriverCall call) {
  return UseExecutable(exec, GraphUse::kLaunch, stream,
                       [=] { return Memory().Launch(exec, stream, call); });
}

CUresult Upload(CUgraphExec exec, CUstream stream, DriverCall call) {
  return UseExecutable(exec, GraphUse::kUpload, stream,
                       [=] { return Memory().Upload(exec, stream, call); });
}

bool Uploads(const CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
  return params != nullptr && (params->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0;
}

}  // namespace

WARPSHARE_HOOK CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph,
                                           CUgraphNode* error_node, char* log, size_t log_bytes) {
  return Instantiate(exec, graph, /*uploads=*/false, [=] {
    return REAL(cuGraphInstantiate)(exec, graph, error_node, log, log_bytes);
  });
}
WARPSHARE_HOOK CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph,
                                              CUgraphNode* error_node, char* log,
                                              size_t log_bytes) {
  return Instantiate(exec, graph, /*uploads=*/false, [=] {
    return REAL(cuGraphInstantiate_v2)(exec, graph, error_node, log, log_bytes);
  });
}
WARPSHARE_HOOK CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph,
                                                    unsigned long long flags) {
  return Instantiate(exec, graph, /*uploads=*/false,
                     [=] { return REAL(cuGraphInstantiateWithFlags)(exec, graph, flags); });
}
WARPSHARE_HOOK CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                                     CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
  return Instantiate(exec, graph, Uploads(params),
                     [=] { return REAL(cuGraphInstantiateWithParams)(exec, graph, params); });
}
WARPSHARE_HOOK CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec* exec, CUgraph graph,
                                                          CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
  return Instantiate(exec, graph, Uploads(params),
                     [=] { return REAL(cuGraphInstantiateWithParams_ptsz)(exec, graph, params); });
}

WARPSHARE_HOOK CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return Submit(
      Legacy(stream), [=] { return work::Graph(exec); },
      [=] {
        return Launch(exec, Legacy(stream), [=] { return REAL(cuGraphLaunch)(exec, stream); });
      });
}
WARPSHARE_HOOK CUresult cuGraphLaunch_ptsz(CUgraphExec exec, CUstream stream) {
  return Submit(
      PerThread(stream), [=] { return work::Graph(exec); },
      [=] {
        return Launch(exec, PerThread(stream),
                      [=] { return REAL(cuGraphLaunch_ptsz)(exec, stream); });
      });
}
WARPSHARE_HOOK CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return Upload(exec, Legacy(stream), [=] { return REAL(cuGraphUpload)(exec, stream); });
}
WARPSHARE_HOOK CUresult cuGraphUpload_ptsz(CUgraphExec exec, CUstream stream) {
  return Upload(exec, PerThread(stream), [=] { return REAL(cuGraphUpload_ptsz)(exec, stream); });
}

WARPSHARE_HOOK CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return DestroyExecutable(exec, [=] {
    return Memory().DestroyExec(exec, [=] { return REAL(cuGraphExecDestroy)(exec); });
  });
}

// A graph keeps the memory of its allocation nodes.
WARPSHARE_HOOK CUresult cuGraphDestroy(CUgraph graph) {
  const CUresult result = REAL(cuGraphDestroy)(graph);
  Memory().ShrinkAll();
  return result;
}

WARPSHARE_HOOK CUresult cuDeviceGraphMemTrim(CUdevice device) {
  return Memory().Trim([=] { return REAL(cuDeviceGraphMemTrim)(device); });
}

// Executable graphs that are changed: the same to whoever launches them, but not to the card.
#include "interposer/accounts/graph_code.h"
#include "interposer/compute/metering.h"
#include "interposer/dispatch/driver.h"

using namespace warpshare::interposer;

namespace {

// Also where it failed: a graph may have been changed in part.
template <typename Call>
CUresult Change(CUgraphExec exec, Call call) {
  const CUresult result = call();
  if (Session::Current() == nullptr) return result;
  Metering::OfProcess().Changed(work::Graph(exec));
  ExecutableChanged(exec);
  return result;
}

}  // namespace

WARPSHARE_HOOK CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* error_node,
                                          CUgraphExecUpdateResult* outcome) {
  return Change(exec, [=] { return REAL(cuGraphExecUpdate)(exec, graph, error_node, outcome); });
}
WARPSHARE_HOOK CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                                             CUgraphExecUpdateResultInfo* outcome) {
  return Change(exec, [=] { return REAL(cuGraphExecUpdate_v2)(exec, graph, outcome); });
}

WARPSHARE_HOOK CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                       const CUDA_KERNEL_NODE_PARAMS_v1* params) {
  return Change(exec, [=] { return REAL(cuGraphExecKernelNodeSetParams)(exec, node, params); });
}
WARPSHARE_HOOK CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                                          const CUDA_KERNEL_NODE_PARAMS* params) {
  return Change(exec, [=] { return REAL(cuGraphExecKernelNodeSetParams_v2)(exec, node, params); });
}
WARPSHARE_HOOK CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                       const CUDA_MEMCPY3D* params,
                                                       CUcontext context) {
  return Change(exec,
                [=] { return REAL(cuGraphExecMemcpyNodeSetParams)(exec, node, params, context); });
}
WARPSHARE_HOOK CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                       const CUDA_MEMSET_NODE_PARAMS* params,
                                                       CUcontext context) {
  return Change(exec,
                [=] { return REAL(cuGraphExecMemsetNodeSetParams)(exec, node, params, context); });
}
WARPSHARE_HOOK CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                           CUgraph child) {
  return Change(exec, [=] { return REAL(cuGraphExecChildGraphNodeSetParams)(exec, node, child); });
}
WARPSHARE_HOOK CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                                 CUgraphNodeParams* params) {
  return Change(exec, [=] { return REAL(cuGraphExecNodeSetParams)(exec, node, params); });
}
WARPSHARE_HOOK CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node,
                                              unsigned int is_enabled) {
  return Change(exec, [=] { return REAL(cuGraphNodeSetEnabled)(exec, node, is_enabled); });
}

// Kernels in graphs: a description that may bring a library into the context it names.
#include "interposer/accounts/graph_code.h"
#include "interposer/dispatch/driver.h"

using warpshare::interposer::DescribeKernel;

namespace {

template <typename Call>
CUresult Describe(const CUDA_KERNEL_NODE_PARAMS_v1* params, Call call) {
  return params == nullptr ? call() : DescribeKernel({.function = params->func}, call);
}
// Of the later versions, which have the same names.
template <typename Params, typename Call>
CUresult Describe(const Params* params, Call call) {
  if (params == nullptr) return call();
  return DescribeKernel({.function = params->func, .kernel = params->kern, .context = params->ctx},
                        call);
}
template <typename Call>
CUresult Describe(const CUgraphNodeParams* params, Call call) {
  const bool is_kernel = params != nullptr && params->type == CU_GRAPH_NODE_TYPE_KERNEL;
  return is_kernel ? Describe(&params->kernel, call) : call();
}

}  // namespace

WARPSHARE_HOOK CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph,
                                             const CUgraphNode* after, size_t count,
                                             const CUDA_KERNEL_NODE_PARAMS_v1* params) {
  return Describe(params,
                  [=] { return REAL(cuGraphAddKernelNode)(node, graph, after, count, params); });
}
WARPSHARE_HOOK CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph,
                                                const CUgraphNode* after, size_t count,
                                                const CUDA_KERNEL_NODE_PARAMS* params) {
  return Describe(params,
                  [=] { return REAL(cuGraphAddKernelNode_v2)(node, graph, after, count, params); });
}
WARPSHARE_HOOK CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* after,
                                       size_t count, CUgraphNodeParams* params) {
  return Describe(params, [=] { return REAL(cuGraphAddNode)(node, graph, after, count, params); });
}
WARPSHARE_HOOK CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph,
                                          const CUgraphNode* after, const CUgraphEdgeData* edges,
                                          size_t count, CUgraphNodeParams* params) {
  return Describe(
      params, [=] { return REAL(cuGraphAddNode_v2)(node, graph, after, edges, count, params); });
}
WARPSHARE_HOOK CUresult cuGraphKernelNodeSetParams(CUgraphNode node,
                                                   const CUDA_KERNEL_NODE_PARAMS_v1* params) {
  return Describe(params, [=] { return REAL(cuGraphKernelNodeSetParams)(node, params); });
}
WARPSHARE_HOOK CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node,
                                                      const CUDA_KERNEL_NODE_PARAMS* params) {
  return Describe(params, [=] { return REAL(cuGraphKernelNodeSetParams_v2)(node, params); });
}
WARPSHARE_HOOK CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* params) {
  return Describe(params, [=] { return REAL(cuGraphNodeSetParams)(node, params); });
}

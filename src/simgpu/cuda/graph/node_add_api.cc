// Adding nodes to graphs.
#include <utility>

#include "simgpu/cuda/graph/edges.h"
#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/graph/lookup.h"
#include "simgpu/cuda/graph/node_api.h"
#include "simgpu/cuda/graph/node_convert.h"

using simgpu::cuda::AllocationParams;
using simgpu::cuda::ConditionalParams;
using simgpu::cuda::CopyParams;
using simgpu::cuda::EdgeList;
using simgpu::cuda::EmptyParams;
using simgpu::cuda::EventParams;
using simgpu::cuda::FreeParams;
using simgpu::cuda::Graph;
using simgpu::cuda::GraphEdge;
using simgpu::cuda::GraphLock;
using simgpu::cuda::GraphNode;
using simgpu::cuda::HostParams;
using simgpu::cuda::NodeParams;
using simgpu::cuda::Ready;

namespace {

// `params` come back as the node has them.
CUresult AddLocked(CUgraphNode* node, CUgraph graph, const EdgeList& dependencies,
                   NodeParams& params) {
  Graph* found = nullptr;
  SIMGPU_TRY(simgpu::cuda::FindGraph(graph, &found));
  std::vector<GraphEdge> edges;
  SIMGPU_TRY(simgpu::cuda::ResolveEdges(dependencies, &edges));
  SIMGPU_TRY(simgpu::cuda::PrepareNode(params));
  GraphNode* added = nullptr;
  SIMGPU_TRY(found->AddNode(params, edges, &added));
  *node = added->handle();
  return CUDA_SUCCESS;
}

CUresult Add(CUgraphNode* node, CUgraph graph, const EdgeList& dependencies, NodeParams params) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(node != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  return AddLocked(node, graph, dependencies, params);
}

// What the driver's struct is filled with.
void Report(const NodeParams& params, CUgraphNodeParams* out) {
  if (const auto* allocation = std::get_if<AllocationParams>(&params)) {
    out->alloc.dptr = allocation->alloc.dptr;
  }
  if (const auto* condition = std::get_if<ConditionalParams>(&params)) {
    // Valid as long as the node: the handles are kept in it.
    out->conditional.phGraph_out = const_cast<CUgraph*>(condition->body_handles.data());
  }
}

}  // namespace

CUresult cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                           const CUgraphEdgeData* dependency_data, size_t count,
                           CUgraphNodeParams* node_params) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(node != nullptr && node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  NodeParams params;
  SIMGPU_TRY(simgpu::cuda::FromDriver(*node_params, &params));
  SIMGPU_TRY(AddLocked(node, graph, {dependencies, dependency_data, count}, params));
  Report(GraphNode::From(*node)->params(), node_params);
  return CUDA_SUCCESS;
}

CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                        size_t count, CUgraphNodeParams* node_params) {
  return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, node_params);
}

CUresult cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                             size_t count) {
  return Add(node, graph, {dependencies, nullptr, count}, EmptyParams{});
}

CUresult cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, const CUDA_KERNEL_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Add(node, graph, {dependencies, nullptr, count}, simgpu::cuda::KernelFrom(*node_params));
}

CUresult cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_KERNEL_NODE_PARAMS_v1* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Add(node, graph, {dependencies, nullptr, count}, simgpu::cuda::KernelFrom(*node_params));
}

CUresult cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMCPY3D* copy_params, CUcontext context) {
  SIMGPU_REQUIRE(copy_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Add(node, graph, {dependencies, nullptr, count}, CopyParams{*copy_params, context});
}

CUresult cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                              size_t count, const CUDA_MEMSET_NODE_PARAMS* memset_params,
                              CUcontext context) {
  SIMGPU_REQUIRE(memset_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Add(node, graph, {dependencies, nullptr, count},
             simgpu::cuda::FillFrom(*memset_params, context));
}

CUresult cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                            size_t count, const CUDA_HOST_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Add(node, graph, {dependencies, nullptr, count},
             HostParams{{node_params->fn, node_params->userData}});
}

CUresult cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, CUgraph child_graph) {
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_GRAPH;
  params.graph = {child_graph, CU_GRAPH_CHILD_GRAPH_OWNERSHIP_CLONE};
  return cuGraphAddNode(node, graph, dependencies, count, &params);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph,
                                   const CUgraphNode* dependencies, size_t count, CUevent event) {
  return Add(node, graph, {dependencies, nullptr, count}, EventParams{event, true});
}

CUresult cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                 size_t count, CUevent event) {
  return Add(node, graph, {dependencies, nullptr, count}, EventParams{event, false});
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  CUgraphNodeParams params{};
  params.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  params.alloc = {node_params->poolProps, node_params->accessDescs, node_params->accessDescCount,
                  node_params->bytesize, 0};
  SIMGPU_TRY(cuGraphAddNode(node, graph, dependencies, count, &params));
  node_params->dptr = params.alloc.dptr;
  return CUDA_SUCCESS;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                               size_t count, CUdeviceptr pointer) {
  return Add(node, graph, {dependencies, nullptr, count}, FreeParams{pointer, nullptr});
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                  size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Add(node, graph, {dependencies, nullptr, count},
             simgpu::cuda::MemoryOpsFrom(*node_params));
}

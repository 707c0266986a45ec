// Changing what the nodes of an executable graph do; nodes are named by those of the graph that it
// was made of.
#include <utility>

#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/graph/graph_exec.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/graph/lookup.h"
#include "simgpu/cuda/graph/node_convert.h"

using simgpu::cuda::ChildParams;
using simgpu::cuda::CopyParams;
using simgpu::cuda::EventParams;
using simgpu::cuda::FillFrom;
using simgpu::cuda::Graph;
using simgpu::cuda::GraphExec;
using simgpu::cuda::GraphLock;
using simgpu::cuda::GraphNode;
using simgpu::cuda::HostParams;
using simgpu::cuda::KernelFrom;
using simgpu::cuda::MemoryOpsFrom;
using simgpu::cuda::NodeParams;
using simgpu::cuda::Ready;

namespace {

CUresult ChangeLocked(CUgraphExec exec_handle, CUgraphNode node_handle, NodeParams params) {
  GraphExec* const exec = GraphExec::From(exec_handle);
  SIMGPU_REQUIRE(exec != nullptr, CUDA_ERROR_INVALID_VALUE);
  GraphNode* node = nullptr;
  SIMGPU_TRY(simgpu::cuda::FindNode(node_handle, &node));
  return exec->ChangeNodeOf(*node, std::move(params));
}

CUresult Change(CUgraphExec exec, CUgraphNode node, NodeParams params) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  return ChangeLocked(exec, node, std::move(params));
}

}  // namespace

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                  CUgraphNodeParams* node_params) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  NodeParams params;
  SIMGPU_TRY(simgpu::cuda::FromDriver(*node_params, &params));
  return ChangeLocked(exec, node, std::move(params));
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Change(exec, node, KernelFrom(*node_params));
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Change(exec, node, KernelFrom(*node_params));
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D* copy_params, CUcontext context) {
  SIMGPU_REQUIRE(copy_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Change(exec, node, CopyParams{*copy_params, context});
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS* memset_params,
                                        CUcontext context) {
  SIMGPU_REQUIRE(memset_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Change(exec, node, FillFrom(*memset_params, context));
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Change(exec, node, HostParams{{node_params->fn, node_params->userData}});
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            CUgraph child_graph) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  Graph* child = nullptr;
  SIMGPU_TRY(simgpu::cuda::FindGraph(child_graph, &child));
  return ChangeLocked(exec, node, ChildParams{child->shared_from_this()});
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return Change(exec, node, EventParams{event, true});
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return Change(exec, node, EventParams{event, false});
}

CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS* node_params) {
  SIMGPU_REQUIRE(node_params != nullptr, CUDA_ERROR_INVALID_VALUE);
  return Change(exec, node, MemoryOpsFrom(*node_params));
}

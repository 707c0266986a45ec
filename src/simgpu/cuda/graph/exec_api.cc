// Instantiating, launching and updating graphs.
#include "simgpu/cuda/graph/exec_api.h"

#include <utility>

#include "simgpu/cuda/graph/capture.h"
#include "simgpu/cuda/graph/graph_exec.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/graph/lookup.h"

using simgpu::cuda::DefaultStream;
using simgpu::cuda::FindGraph;
using simgpu::cuda::FindNode;
using simgpu::cuda::Graph;
using simgpu::cuda::GraphExec;
using simgpu::cuda::GraphLock;
using simgpu::cuda::GraphNode;
using simgpu::cuda::Ready;
using simgpu::cuda::Stream;

namespace {

constexpr uint64_t kKnownFlags =
    CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD |
    CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH | CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;

CUresult Find(CUgraphExec handle, GraphExec** exec) {
  SIMGPU_TRY(Ready());
  *exec = GraphExec::From(handle);
  return *exec != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult Instantiate(CUgraphExec* exec, CUgraph handle, uint64_t flags) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(exec != nullptr && (flags & ~kKnownFlags) == 0, CUDA_ERROR_INVALID_VALUE);
  // Kernels that launch graphs are not simulated.
  SIMGPU_REQUIRE((flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH) == 0,
                 CUDA_ERROR_NOT_SUPPORTED);
  const GraphLock lock;
  Graph* graph = nullptr;
  SIMGPU_TRY(FindGraph(handle, &graph));
  GraphExec* made = nullptr;
  SIMGPU_TRY(GraphExec::Create(*graph, flags, &made));
  *exec = made->handle();
  return CUDA_SUCCESS;
}

CUresult Upload(CUgraphExec handle, CUstream stream_handle, DefaultStream mode) {
  GraphExec* exec = nullptr;
  SIMGPU_TRY(Find(handle, &exec));
  Stream* stream = nullptr;
  SIMGPU_TRY(Stream::Resolve(stream_handle, mode, &stream));
  return exec->Upload(*stream);
}

CUresult InstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                               CUDA_GRAPH_INSTANTIATE_PARAMS* params, DefaultStream mode) {
  SIMGPU_REQUIRE(params != nullptr, CUDA_ERROR_INVALID_VALUE);
  params->hErrNode_out = nullptr;
  params->result_out = CUDA_GRAPH_INSTANTIATE_SUCCESS;
  const CUresult result = Instantiate(exec, graph, params->flags);
  if (result != CUDA_SUCCESS) {
    params->result_out = result == CUDA_ERROR_NOT_SUPPORTED
                             ? CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED
                             : CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE;
    return result;
  }
  const bool upload = (params->flags & CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD) != 0;
  return upload ? Upload(*exec, params->hUploadStream, mode) : CUDA_SUCCESS;
}

CUresult Launch(CUgraphExec handle, CUstream stream_handle, DefaultStream mode) {
  GraphExec* exec = nullptr;
  SIMGPU_TRY(Find(handle, &exec));
  Stream* stream = nullptr;
  SIMGPU_TRY(simgpu::cuda::ResolveForWork(stream_handle, mode, &stream));
  if (!stream->capturing()) return exec->Launch(*stream);
  simgpu::cuda::NodeParams child;
  {
    const GraphLock lock;
    child = simgpu::cuda::ChildParams{exec->CloneGraph()};
  }
  return simgpu::cuda::CaptureNode(*stream, child);
}

// An executable graph, and a node of the graph it was made of.
template <class Use>
CUresult WithNode(CUgraphExec exec_handle, CUgraphNode node_handle, Use use) {
  GraphExec* exec = nullptr;
  SIMGPU_TRY(Find(exec_handle, &exec));
  const GraphLock lock;
  GraphNode* node = nullptr;
  SIMGPU_TRY(FindNode(node_handle, &node));
  return use(*exec, *node);
}

}  // namespace

CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph graph, unsigned long long flags) {
  return Instantiate(exec, graph, flags);
}

CUresult cuGraphInstantiate_v2(CUgraphExec* exec, CUgraph graph, CUgraphNode* error_node,
                               char* log_buffer, size_t buffer_size) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log_buffer != nullptr && buffer_size > 0) *log_buffer = '\0';
  return Instantiate(exec, graph, 0);
}

CUresult cuGraphInstantiate(CUgraphExec* exec, CUgraph graph, CUgraphNode* error_node,
                            char* log_buffer, size_t buffer_size) {
  return cuGraphInstantiate_v2(exec, graph, error_node, log_buffer, buffer_size);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS* instantiate_params) {
  return InstantiateWithParams(exec, graph, instantiate_params, DefaultStream::kLegacy);
}
CUresult cuGraphInstantiateWithParams_ptsz(CUgraphExec* exec, CUgraph graph,
                                           CUDA_GRAPH_INSTANTIATE_PARAMS* instantiate_params) {
  return InstantiateWithParams(exec, graph, instantiate_params, DefaultStream::kPerThread);
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  GraphExec* found = nullptr;
  SIMGPU_TRY(Find(exec, &found));
  found->Destroy();
  return CUDA_SUCCESS;
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, uint64_t* flags) {
  GraphExec* found = nullptr;
  SIMGPU_TRY(Find(exec, &found));
  SIMGPU_REQUIRE(flags != nullptr, CUDA_ERROR_INVALID_VALUE);
  *flags = found->flags();
  return CUDA_SUCCESS;
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return Upload(exec, stream, DefaultStream::kLegacy);
}
CUresult cuGraphUpload_ptsz(CUgraphExec exec, CUstream stream) {
  return Upload(exec, stream, DefaultStream::kPerThread);
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return Launch(exec, stream, DefaultStream::kLegacy);
}
CUresult cuGraphLaunch_ptsz(CUgraphExec exec, CUstream stream) {
  return Launch(exec, stream, DefaultStream::kPerThread);
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned is_enabled) {
  return WithNode(exec, node, [=](GraphExec& found, const GraphNode& original) {
    return found.SetEnabled(original, is_enabled != 0);
  });
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* is_enabled) {
  SIMGPU_REQUIRE(is_enabled != nullptr, CUDA_ERROR_INVALID_VALUE);
  return WithNode(exec, node, [=](const GraphExec& found, const GraphNode& original) {
    bool enabled = false;
    SIMGPU_TRY(found.GetEnabled(original, &enabled));
    *is_enabled = enabled ? 1 : 0;
    return CUDA_SUCCESS;
  });
}

CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                              CUgraphExecUpdateResultInfo* result_info) {
  GraphExec* found = nullptr;
  SIMGPU_TRY(Find(exec, &found));
  const GraphLock lock;
  Graph* source = nullptr;
  SIMGPU_TRY(FindGraph(graph, &source));
  CUgraphExecUpdateResultInfo info{};
  const CUresult result = found->Update(*source, &info);
  if (result_info != nullptr) *result_info = info;
  return result;
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode* error_node,
                           CUgraphExecUpdateResult* update_result) {
  CUgraphExecUpdateResultInfo info{};
  const CUresult result = cuGraphExecUpdate_v2(exec, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (update_result != nullptr) *update_result = info.result;
  return result;
}

// Graphs and their structure.
#include "simgpu/cuda/graph/api.h"

#include "simgpu/cuda/context/current.h"
#include "simgpu/cuda/graph/condition.h"
#include "simgpu/cuda/graph/edges.h"
#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/graph/lookup.h"

using simgpu::cuda::ChildParams;
using simgpu::cuda::EdgeList;
using simgpu::cuda::FindGraph;
using simgpu::cuda::FindNode;
using simgpu::cuda::Graph;
using simgpu::cuda::GraphEdge;
using simgpu::cuda::GraphLock;
using simgpu::cuda::GraphNode;
using simgpu::cuda::Ready;
using simgpu::cuda::ResolveEdges;

namespace {

// Memory nodes fix the structure around them.
CUresult RequireNoMemoryNodes(const Graph& graph) {
  return graph.HasMemoryNodes() ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

template <class Change>
CUresult ChangeEdges(CUgraph handle, const EdgeList& from, const EdgeList& to, Change change) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  Graph* graph = nullptr;
  SIMGPU_TRY(FindGraph(handle, &graph));
  std::vector<GraphEdge> sources;
  std::vector<GraphEdge> targets;
  SIMGPU_TRY(ResolveEdges(from, &sources));
  SIMGPU_TRY(ResolveEdges(to, &targets));
  for (size_t i = 0; i < sources.size(); ++i) {
    SIMGPU_TRY(change(*graph, *sources[i].node, *targets[i].node, sources[i].data));
  }
  return CUDA_SUCCESS;
}

CUresult AddEdge(Graph& graph, GraphNode& from, GraphNode& to, const CUgraphEdgeData& data) {
  return graph.AddEdge(from, to, data);
}

CUresult RemoveEdge(Graph& graph, GraphNode& from, GraphNode& to, const CUgraphEdgeData& data) {
  SIMGPU_TRY(RequireNoMemoryNodes(graph));
  return graph.RemoveEdge(from, to, data);
}

}  // namespace

CUresult cuGraphCreate(CUgraph* graph, unsigned flags) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(graph != nullptr && flags == 0, CUDA_ERROR_INVALID_VALUE);
  const auto made = Graph::Create();
  *graph = made->handle();
  if (*graph != nullptr) return CUDA_SUCCESS;
  made->Destroy();
  return CUDA_ERROR_OUT_OF_MEMORY;
}

// Graphs inside nodes go with their node.
CUresult cuGraphDestroy(CUgraph graph) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  Graph* found = nullptr;
  SIMGPU_TRY(FindGraph(graph, &found));
  SIMGPU_REQUIRE(found->owned_by_program(), CUDA_ERROR_INVALID_VALUE);
  found->Destroy();
  return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph* graph_clone, CUgraph original_graph) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(graph_clone != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  Graph* original = nullptr;
  SIMGPU_TRY(FindGraph(original_graph, &original));
  SIMGPU_TRY(RequireNoMemoryNodes(*original));
  const std::shared_ptr<Graph> clone = original->Clone();
  clone->GiveToProgram();
  *graph_clone = clone->handle();
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode* node, CUgraphNode original_node,
                                CUgraph cloned_graph) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(node != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  GraphNode* original = nullptr;
  SIMGPU_TRY(FindNode(original_node, &original));
  Graph* clone = nullptr;
  SIMGPU_TRY(FindGraph(cloned_graph, &clone));
  const GraphNode* const copy = clone->CloneOf(original->id());
  SIMGPU_REQUIRE(copy != nullptr, CUDA_ERROR_INVALID_VALUE);
  *node = copy->handle();
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroyNode(CUgraphNode node) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  GraphNode* found = nullptr;
  SIMGPU_TRY(FindNode(node, &found));
  SIMGPU_TRY(RequireNoMemoryNodes(found->graph()));
  found->graph().RemoveNode(*found);
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType* type) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(type != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  GraphNode* found = nullptr;
  SIMGPU_TRY(FindNode(node, &found));
  *type = found->type();
  return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(graph != nullptr, CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  GraphNode* found = nullptr;
  SIMGPU_TRY(FindNode(node, &found));
  const auto* const child = found->As<ChildParams>();
  SIMGPU_REQUIRE(child != nullptr, CUDA_ERROR_INVALID_VALUE);
  *graph = child->graph->handle();
  return CUDA_SUCCESS;
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData* edge_data, size_t count) {
  return ChangeEdges(graph, {from, edge_data, count}, {to, nullptr, count}, AddEdge);
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                      const CUgraphEdgeData* edge_data, size_t count) {
  return ChangeEdges(graph, {from, edge_data, count}, {to, nullptr, count}, RemoveEdge);
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph,
                                        CUcontext context, unsigned default_launch_value,
                                        unsigned flags) {
  simgpu::cuda::Context* ignored = nullptr;
  SIMGPU_TRY(simgpu::cuda::NamedOrCurrentContext(context, &ignored));
  SIMGPU_REQUIRE(handle != nullptr && flags <= CU_GRAPH_COND_ASSIGN_DEFAULT,
                 CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  Graph* found = nullptr;
  SIMGPU_TRY(FindGraph(graph, &found));
  const bool assigned = flags == CU_GRAPH_COND_ASSIGN_DEFAULT;
  *handle = simgpu::cuda::NewCondition(assigned ? default_launch_value : 0);
  return CUDA_SUCCESS;
}

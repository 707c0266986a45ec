// Nodes and edges as lists. Every function gives the number there is when it gets no array;
// otherwise it fills the array and says how many entries it filled.
#include <algorithm>
#include <vector>

#include "simgpu/cuda/graph/api.h"
#include "simgpu/cuda/graph/edges.h"
#include "simgpu/cuda/graph/lock.h"
#include "simgpu/cuda/graph/lookup.h"

using simgpu::cuda::FindGraph;
using simgpu::cuda::FindNode;
using simgpu::cuda::Graph;
using simgpu::cuda::GraphEdge;
using simgpu::cuda::GraphLock;
using simgpu::cuda::GraphNode;
using simgpu::cuda::IsPlain;
using simgpu::cuda::Ready;

namespace {

// One of the lists an edge function fills; surplus places are cleared.
template <class Value>
void Fill(Value* array, size_t room, const std::vector<Value>& values) {
  if (array == nullptr) return;
  std::copy_n(values.begin(), std::min(room, values.size()), array);
  if (room > values.size()) std::fill(array + values.size(), array + room, Value{});
}

// Edges with data cannot be told by functions that have no place for it.
CUresult RefuseToLose(const std::vector<CUgraphEdgeData>& data, bool has_place) {
  const bool lost = !has_place && !std::all_of(data.begin(), data.end(), IsPlain);
  return lost ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

CUresult GiveNodes(const std::vector<CUgraphNode>& nodes, CUgraphNode* array, size_t* count) {
  SIMGPU_REQUIRE(count != nullptr, CUDA_ERROR_INVALID_VALUE);
  Fill(array, *count, nodes);
  *count = array == nullptr ? nodes.size() : std::min(*count, nodes.size());
  return CUDA_SUCCESS;
}

CUresult GiveNeighbours(const std::vector<GraphEdge>& edges, CUgraphNode* nodes,
                        CUgraphEdgeData* data, size_t* count) {
  SIMGPU_REQUIRE(count != nullptr, CUDA_ERROR_INVALID_VALUE);
  std::vector<CUgraphNode> handles;
  std::vector<CUgraphEdgeData> edge_data;
  for (const GraphEdge& edge : edges) {
    handles.push_back(edge.node->handle());
    edge_data.push_back(edge.data);
  }
  if (nodes != nullptr) SIMGPU_TRY(RefuseToLose(edge_data, data != nullptr));
  Fill(data, *count, edge_data);
  return GiveNodes(handles, nodes, count);
}

}  // namespace

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* nodes, size_t* num_nodes) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  Graph* found = nullptr;
  SIMGPU_TRY(FindGraph(graph, &found));
  std::vector<CUgraphNode> handles;
  for (const auto& node : found->nodes()) handles.push_back(node->handle());
  return GiveNodes(handles, nodes, num_nodes);
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* root_nodes, size_t* num_root_nodes) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  Graph* found = nullptr;
  SIMGPU_TRY(FindGraph(graph, &found));
  std::vector<CUgraphNode> handles;
  for (const auto& node : found->nodes()) {
    if (node->dependencies().empty()) handles.push_back(node->handle());
  }
  return GiveNodes(handles, root_nodes, num_root_nodes);
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode* from, CUgraphNode* to,
                            CUgraphEdgeData* edge_data, size_t* num_edges) {
  SIMGPU_TRY(Ready());
  SIMGPU_REQUIRE(num_edges != nullptr && (from == nullptr) == (to == nullptr),
                 CUDA_ERROR_INVALID_VALUE);
  const GraphLock lock;
  Graph* found = nullptr;
  SIMGPU_TRY(FindGraph(graph, &found));
  std::vector<CUgraphNode> sources;
  std::vector<CUgraphNode> targets;
  std::vector<CUgraphEdgeData> data;
  for (const auto& node : found->nodes()) {
    for (const GraphEdge& edge : node->dependents()) {
      sources.push_back(node->handle());
      targets.push_back(edge.node->handle());
      data.push_back(edge.data);
    }
  }
  if (from != nullptr) SIMGPU_TRY(RefuseToLose(data, edge_data != nullptr));
  Fill(to, *num_edges, targets);
  Fill(edge_data, *num_edges, data);
  return GiveNodes(sources, from, num_edges);
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* num_edges) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, num_edges);
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode* dependencies,
                                       CUgraphEdgeData* edge_data, size_t* count) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  GraphNode* found = nullptr;
  SIMGPU_TRY(FindNode(node, &found));
  return GiveNeighbours(found->dependencies(), dependencies, edge_data, count);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, dependencies, nullptr, count);
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode* dependent_nodes,
                                         CUgraphEdgeData* edge_data, size_t* num_dependent_nodes) {
  SIMGPU_TRY(Ready());
  const GraphLock lock;
  GraphNode* found = nullptr;
  SIMGPU_TRY(FindNode(node, &found));
  return GiveNeighbours(found->dependents(), dependent_nodes, edge_data, num_dependent_nodes);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependent_nodes,
                                      size_t* num_dependent_nodes) {
  return cuGraphNodeGetDependentNodes_v2(node, dependent_nodes, nullptr, num_dependent_nodes);
}

#include "simgpu/cuda/graph/change_node.h"

#include <map>
#include <utility>

namespace simgpu::cuda {
namespace {

bool IsMemoryNode(CUgraphNodeType type) {
  return type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE;
}

// Where each node of a graph comes in the order of adding.
std::map<const GraphNode*, size_t> Places(const Graph& graph) {
  std::map<const GraphNode*, size_t> places;
  for (const auto& node : graph.nodes()) places.emplace(node.get(), places.size());
  return places;
}

bool SameDependencies(const GraphNode& node, const std::map<const GraphNode*, size_t>& places,
                      const GraphNode& source,
                      const std::map<const GraphNode*, size_t>& source_places) {
  if (node.dependencies().size() != source.dependencies().size()) return false;
  for (size_t i = 0; i < node.dependencies().size(); ++i) {
    if (places.at(node.dependencies()[i].node) != source_places.at(source.dependencies()[i].node)) {
      return false;
    }
  }
  return true;
}

CUresult Differ(CUgraphExecUpdateResultInfo* info, CUgraphExecUpdateResult why,
                const GraphNode* source) {
  info->result = why;
  info->errorNode = source == nullptr ? nullptr : source->handle();
  return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}

CUresult CompareAll(const Graph& graph, const Graph& source, CUgraphExecUpdateResultInfo* info) {
  const size_t count = graph.nodes().size();
  if (count != source.nodes().size()) {
    return Differ(info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, nullptr);
  }
  const auto places = Places(graph);
  const auto source_places = Places(source);
  for (size_t i = 0; i < count; ++i) {
    const GraphNode& node = *graph.nodes()[i];
    const GraphNode& from = *source.nodes()[i];
    if (node.type() != from.type()) {
      return Differ(info, CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED, &from);
    }
    if (IsMemoryNode(node.type())) {
      return Differ(info, CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED, &from);
    }
    if (!SameDependencies(node, places, from, source_places)) {
      return Differ(info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, &from);
    }
    const auto inner = InnerGraphs(node);
    const auto inner_from = InnerGraphs(from);
    if (inner.size() != inner_from.size()) {
      return Differ(info, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, &from);
    }
    for (size_t k = 0; k < inner.size(); ++k) {
      SIMGPU_TRY(CompareAll(*inner[k], *inner_from[k], info));
    }
  }
  return CUDA_SUCCESS;
}

void CopyAll(Graph& graph, const Graph& source) {
  graph.CloneReferencesOf(source);
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    GraphNode& node = *graph.nodes()[i];
    const GraphNode& from = *source.nodes()[i];
    const auto inner = InnerGraphs(node);
    const auto inner_from = InnerGraphs(from);
    if (inner.empty()) node.set_params(from.params());
    for (size_t k = 0; k < inner.size(); ++k) CopyAll(*inner[k], *inner_from[k]);
  }
}

}  // namespace

CUresult ChangeNode(GraphNode& node, NodeParams params) {
  SIMGPU_REQUIRE(!IsMemoryNode(node.type()), CUDA_ERROR_NOT_SUPPORTED);
  SIMGPU_REQUIRE(TypeOf(params) == node.type(), CUDA_ERROR_INVALID_VALUE);
  if (auto* kernel = std::get_if<KernelParams>(&params); kernel != nullptr) {
    if (kernel->attributes.empty()) kernel->attributes = node.As<KernelParams>()->attributes;
  }
  if (const auto* child = std::get_if<ChildParams>(&params); child != nullptr) {
    CUgraphExecUpdateResultInfo ignored{};
    const CUresult result = ChangeAll(*node.As<ChildParams>()->graph, *child->graph, &ignored);
    return result == CUDA_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  }
  SIMGPU_TRY(PrepareNode(params));
  node.set_params(std::move(params));
  return CUDA_SUCCESS;
}

CUresult ChangeAll(Graph& graph, const Graph& source, CUgraphExecUpdateResultInfo* info) {
  *info = {};
  SIMGPU_TRY(CompareAll(graph, source, info));
  CopyAll(graph, source);
  info->result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  return CUDA_SUCCESS;
}

}  // namespace simgpu::cuda

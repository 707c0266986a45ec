#include "simgpu/cuda/graph/graph.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace simgpu::cuda {
namespace {

uint64_t NextNodeId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

bool SameData(const CUgraphEdgeData& a, const CUgraphEdgeData& b) {
  return a.from_port == b.from_port && a.to_port == b.to_port && a.type == b.type;
}

bool EraseEdge(std::vector<GraphEdge>& edges, const GraphNode& node, const CUgraphEdgeData& data) {
  const auto found = std::find_if(edges.begin(), edges.end(), [&](const GraphEdge& edge) {
    return edge.node == &node && SameData(edge.data, data);
  });
  if (found == edges.end()) return false;
  edges.erase(found);
  return true;
}

void EraseAllEdges(std::vector<GraphEdge>& edges, const GraphNode& node) {
  std::erase_if(edges, [&node](const GraphEdge& edge) { return edge.node == &node; });
}

bool HasEdge(const std::vector<GraphEdge>& edges, const GraphNode& node,
             const CUgraphEdgeData& data) {
  return std::any_of(edges.begin(), edges.end(), [&](const GraphEdge& edge) {
    return edge.node == &node && SameData(edge.data, data);
  });
}

// Copies of the graphs inside a node belong to the copy of the node.
NodeParams CloneParams(const NodeParams& params) {
  NodeParams copy = params;
  if (auto* child = std::get_if<ChildParams>(&copy)) child->graph = child->graph->Clone();
  if (auto* condition = std::get_if<ConditionalParams>(&copy)) {
    condition->body_handles.clear();
    for (std::shared_ptr<Graph>& body : condition->bodies) {
      body = body->Clone();
      condition->body_handles.push_back(body->handle());
    }
  }
  return copy;
}

}  // namespace

GraphNode::GraphNode(Graph& graph, NodeParams params)
    : graph_(graph), id_(NextNodeId()), params_(std::move(params)) {}

std::shared_ptr<Graph> Graph::Create() {
  auto graph = std::make_shared<Graph>();
  graph->GiveToProgram();
  return graph;
}

void Graph::Destroy() {
  const std::shared_ptr<Graph> keep = std::move(self_);
  Retract();
}

std::shared_ptr<Graph> Graph::Release() { return std::move(self_); }

CUresult Graph::AddNode(NodeParams params, const std::vector<GraphEdge>& dependencies,
                        GraphNode** node) {
  auto made = std::make_unique<GraphNode>(*this, std::move(params));
  SIMGPU_REQUIRE(made->handle() != nullptr, CUDA_ERROR_OUT_OF_MEMORY);
  for (const GraphEdge& edge : dependencies) {
    SIMGPU_REQUIRE(&edge.node->graph() == this, CUDA_ERROR_INVALID_VALUE);
    SIMGPU_REQUIRE(!HasEdge(made->dependencies_, *edge.node, edge.data), CUDA_ERROR_INVALID_VALUE);
    made->dependencies_.push_back(edge);
  }
  for (const GraphEdge& edge : dependencies) {
    edge.node->dependents_.push_back({made.get(), edge.data});
  }
  nodes_.push_back(std::move(made));
  *node = nodes_.back().get();
  return CUDA_SUCCESS;
}

void Graph::RemoveNode(GraphNode& node) {
  for (const GraphEdge& edge : node.dependencies_) EraseAllEdges(edge.node->dependents_, node);
  for (const GraphEdge& edge : node.dependents_) EraseAllEdges(edge.node->dependencies_, node);
  std::erase_if(by_original_, [&node](const auto& entry) { return entry.second == &node; });
  std::erase_if(nodes_, [&node](const auto& entry) { return entry.get() == &node; });
}

CUresult Graph::AddEdge(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data) {
  SIMGPU_REQUIRE(&from.graph() == this && &to.graph() == this && &from != &to,
                 CUDA_ERROR_INVALID_VALUE);
  SIMGPU_REQUIRE(!HasEdge(to.dependencies_, from, data), CUDA_ERROR_INVALID_VALUE);
  to.dependencies_.push_back({&from, data});
  from.dependents_.push_back({&to, data});
  return CUDA_SUCCESS;
}

CUresult Graph::RemoveEdge(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data) {
  SIMGPU_REQUIRE(EraseEdge(to.dependencies_, from, data), CUDA_ERROR_INVALID_VALUE);
  EraseEdge(from.dependents_, to, data);
  return CUDA_SUCCESS;
}

std::vector<GraphNode*> Graph::Ordered() const {
  std::map<const GraphNode*, size_t> missing;
  std::vector<GraphNode*> ordered;
  for (const auto& node : nodes_) {
    missing[node.get()] = node->dependencies().size();
    if (node->dependencies().empty()) ordered.push_back(node.get());
  }
  for (size_t i = 0; i < ordered.size(); ++i) {
    for (const GraphEdge& edge : ordered[i]->dependents()) {
      if (--missing[edge.node] == 0) ordered.push_back(edge.node);
    }
  }
  return ordered;
}

bool Graph::HasMemoryNodes() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const auto& node) {
    if (node->type() == CU_GRAPH_NODE_TYPE_MEM_ALLOC) return true;
    if (node->type() == CU_GRAPH_NODE_TYPE_MEM_FREE) return true;
    const auto inner = InnerGraphs(*node);
    return std::any_of(inner.begin(), inner.end(),
                       [](const auto& graph) { return graph->HasMemoryNodes(); });
  });
}

std::shared_ptr<Graph> Graph::Clone() const {
  auto clone = std::make_shared<Graph>();
  std::map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : nodes_) {
    GraphNode* copy = nullptr;
    clone->AddNode(CloneParams(node->params()), {}, &copy);
    copies[node.get()] = copy;
    clone->by_original_[node->id()] = copy;
  }
  for (const auto& node : nodes_) {
    GraphNode* const copy = copies[node.get()];
    for (const GraphEdge& edge : node->dependencies()) {
      copy->dependencies_.push_back({copies[edge.node], edge.data});
    }
    for (const GraphEdge& edge : node->dependents()) {
      copy->dependents_.push_back({copies[edge.node], edge.data});
    }
  }
  clone->CloneReferencesOf(*this);
  return clone;
}

GraphNode* Graph::CloneOf(uint64_t original_id) const {
  const auto found = by_original_.find(original_id);
  if (found != by_original_.end()) return found->second;
  for (const auto& node : nodes_) {
    for (const auto& inner : InnerGraphs(*node)) {
      if (GraphNode* const copy = inner->CloneOf(original_id)) return copy;
    }
  }
  return nullptr;
}

std::vector<std::shared_ptr<Graph>> InnerGraphs(const GraphNode& node) {
  if (const auto* child = node.As<ChildParams>()) return {child->graph};
  if (const auto* condition = node.As<ConditionalParams>()) return condition->bodies;
  return {};
}

}  // namespace simgpu::cuda

// A graph (CUgraph): nodes in the order they were added, and edges. Guarded by GraphLock.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simgpu/cuda/graph/node_params.h"
#include "simgpu/cuda/graph/user_references.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"

namespace simgpu::cuda {

class Graph;
class GraphExec;
class GraphNode;

struct GraphEdge {
  GraphNode* node = nullptr;  // at the other end
  CUgraphEdgeData data{};
};

class GraphNode : public Handled<GraphNode, CUgraphNode, HandleKind::kGraphNode> {
 public:
  GraphNode(Graph& graph, NodeParams params);

  Graph& graph() const { return graph_; }
  uint64_t id() const { return id_; }  // unique in the process
  CUgraphNodeType type() const { return TypeOf(params_); }
  const NodeParams& params() const { return params_; }
  void set_params(NodeParams params) { params_ = std::move(params); }
  template <class Params>
  const Params* As() const {
    return std::get_if<Params>(&params_);
  }

  const std::vector<GraphEdge>& dependencies() const { return dependencies_; }
  const std::vector<GraphEdge>& dependents() const { return dependents_; }

 private:
  friend class Graph;

  Graph& graph_;
  const uint64_t id_;
  NodeParams params_;
  std::vector<GraphEdge> dependencies_;
  std::vector<GraphEdge> dependents_;
};

class Graph : public Handled<Graph, CUgraph, HandleKind::kGraph>,
              public std::enable_shared_from_this<Graph> {
 public:
  // Kept until Destroy, for graphs that the program owns.
  static std::shared_ptr<Graph> Create();

  void Destroy();
  // Graphs inside a node belong to it.
  bool owned_by_program() const { return self_ != nullptr; }
  void GiveToProgram() { self_ = shared_from_this(); }
  // The program gives it to a node.
  std::shared_ptr<Graph> Release();

  // Each dependency must be a node of this graph, named once: CUDA_ERROR_INVALID_VALUE.
  CUresult AddNode(NodeParams params, const std::vector<GraphEdge>& dependencies, GraphNode** node);
  void RemoveNode(GraphNode& node);
  CUresult AddEdge(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data);
  CUresult RemoveEdge(GraphNode& from, GraphNode& to, const CUgraphEdgeData& data);

  const std::vector<std::unique_ptr<GraphNode>>& nodes() const { return nodes_; }
  // Every node after those it depends on; fewer than nodes() when there is a cycle.
  std::vector<GraphNode*> Ordered() const;
  // Of this graph and those inside its nodes.
  bool HasMemoryNodes() const;

  // A copy that knows which node of the original each of its nodes is; so do the graphs inside.
  std::shared_ptr<Graph> Clone() const;
  // Also looks into the graphs inside its nodes. nullptr: none.
  GraphNode* CloneOf(uint64_t original_id) const;

  // A graph with memory nodes has one executable graph at a time.
  const std::weak_ptr<GraphExec>& memory_exec() const { return memory_exec_; }
  void set_memory_exec(std::weak_ptr<GraphExec> exec) { memory_exec_ = std::move(exec); }

  // Without those of the graphs inside its nodes.
  const std::shared_ptr<UserReferences>& references() const { return references_; }
  void CloneReferencesOf(const Graph& source) { references_ = source.references_->Clone(); }

 private:
  std::shared_ptr<Graph> self_;
  std::weak_ptr<GraphExec> memory_exec_;
  std::vector<std::unique_ptr<GraphNode>> nodes_;
  std::map<uint64_t, GraphNode*> by_original_;
  std::shared_ptr<UserReferences> references_ = std::make_shared<UserReferences>();
};

// The graphs inside a node: a child graph, or the bodies of a condition.
std::vector<std::shared_ptr<Graph>> InnerGraphs(const GraphNode& node);

}  // namespace simgpu::cuda

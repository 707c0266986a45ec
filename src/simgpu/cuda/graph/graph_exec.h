// An executable graph (CUgraphExec): a copy of a graph, and the streams its branches run in.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/graph/launch_plan.h"
#include "simgpu/cuda/handles.h"
#include "simgpu/cuda/result.h"
#include "simgpu/cuda/stream/op.h"

namespace simgpu::cuda {

class GraphAllocation;
class Stream;
class StreamQueue;

class GraphExec : public Handled<GraphExec, CUgraphExec, HandleKind::kGraphExec>,
                  public std::enable_shared_from_this<GraphExec> {
 public:
  // Keeps itself until Destroy. CUDA_ERROR_INVALID_VALUE for a graph with a cycle;
  // CUDA_ERROR_NOT_SUPPORTED for a second one of a graph with memory nodes.
  static CUresult Create(Graph& graph, uint64_t flags, GraphExec** exec);

  GraphExec(std::shared_ptr<Graph> graph, uint64_t flags)
      : graph_(std::move(graph)), flags_(flags) {}
  ~GraphExec();

  // A launch in progress goes on to its end.
  void Destroy();

  uint64_t flags() const { return flags_; }
  // For a stream that is being captured: what is launched becomes part of the graph.
  std::shared_ptr<Graph> CloneGraph() const { return graph_->Clone(); }

  // Puts card memory behind its allocation nodes.
  CUresult Upload(Stream& stream);
  // Without GraphLock.
  CUresult Launch(Stream& stream);

  // Changes by nodes of the graph it was made of. Under GraphLock.
  CUresult ChangeNodeOf(const GraphNode& original, NodeParams params);
  CUresult Update(const Graph& source, CUgraphExecUpdateResultInfo* info);
  // Of kernels, copies and fills.
  CUresult SetEnabled(const GraphNode& original, bool enabled);
  CUresult GetEnabled(const GraphNode& original, bool* enabled) const;

 private:
  using Branches = std::vector<std::vector<Op>>;

  CUresult Charge();
  CUresult FindSwitchable(const GraphNode& original, GraphNode** node) const;
  std::vector<std::shared_ptr<GraphAllocation>> Allocations() const;
  CUresult Back(Stream& stream);
  CUresult MakeReady(Stream& stream);
  CUresult BuildBranches(Branches* branches);
  CUresult OpsOf(const GraphNode& node, std::vector<Op>* ops) const;
  void PrepareQueues();
  void TrackMemory(const std::shared_ptr<Completion>& end);

  const std::shared_ptr<Graph> graph_;
  const uint64_t flags_;
  int charged_card_ = -1;  // that it takes memory of; -1: none

  std::mutex launch_mutex_;  // launches of one executable graph come one after the other
  std::shared_ptr<GraphExec> self_;
  std::set<const GraphNode*> disabled_;
  std::optional<LaunchPlan> plan_;
  std::vector<std::shared_ptr<StreamQueue>> queues_;  // of branches 1 and up
  std::shared_ptr<Completion> last_end_;
};

}  // namespace simgpu::cuda

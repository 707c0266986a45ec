// A capture in force: the graph it builds, and for each stream in it the nodes that its next node
// will depend on. Guarded by GraphLock.
#pragma once

#include <pthread.h>

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "simgpu/cuda/graph/graph.h"
#include "simgpu/cuda/stream/stream.h"

namespace simgpu::cuda {

enum class CaptureState : uint8_t { kActive, kSpoiled, kEnded };

class Capture : public std::enable_shared_from_this<Capture> {
 public:
  // `graph` is one of the program's, to which the capture adds, or a new one of the capture's own.
  Capture(Stream& origin, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph, bool own_graph);

  void Begin(const std::vector<GraphEdge>& frontier);
  void Join(Stream& stream, const std::vector<GraphEdge>& frontier);
  void Leave(Stream& stream);
  // Every stream leaves; the capture is over.
  void End();
  void Spoil();

  uint64_t id() const { return id_; }
  CUstreamCaptureMode mode() const { return mode_; }
  CaptureState state() const { return state_; }
  bool IsOrigin(const Stream& stream) const { return &stream == origin_; }
  bool ByThisThread() const { return pthread_equal(thread_, pthread_self()) != 0; }
  Graph& graph() const { return *graph_; }
  bool own_graph() const { return own_graph_; }

  CUresult AddNode(Stream& stream, NodeParams params);
  std::vector<GraphEdge>& FrontierOf(const Stream& stream);
  // Nodes captured in other streams that the origin stream does not wait for.
  bool HasUnjoinedWork() const;

  // What cuStreamGetCaptureInfo points its caller to, until its next call for the stream.
  struct Report {
    std::vector<CUgraphNode> nodes;
    std::vector<CUgraphEdgeData> edges;
  };
  const Report& ReportOf(const Stream& stream);

  // Captures in force in the process.
  static std::vector<Capture*>& All();

 private:
  const uint64_t id_;
  Stream* const origin_;
  const CUstreamCaptureMode mode_;
  const pthread_t thread_;
  const std::shared_ptr<Graph> graph_;
  const bool own_graph_;
  CaptureState state_ = CaptureState::kActive;
  std::map<Stream*, std::vector<GraphEdge>> frontiers_;
  std::map<const Stream*, Report> reports_;
  std::vector<GraphNode*> captured_;
};

// Where an event was recorded in a capture.
struct CapturedPoint {
  std::shared_ptr<Capture> capture;
  std::vector<GraphEdge> frontier;
};

// Adds the edges of `more` that are not there yet.
void MergeEdges(std::vector<GraphEdge>& edges, const std::vector<GraphEdge>& more);

}  // namespace simgpu::cuda

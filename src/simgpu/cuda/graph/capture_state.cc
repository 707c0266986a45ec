#include "simgpu/cuda/graph/capture_state.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <utility>

namespace simgpu::cuda {
namespace {

uint64_t NextId() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

std::vector<Capture*>& Capture::All() {
  static auto* const all = new std::vector<Capture*>;
  return *all;
}

Capture::Capture(Stream& origin, CUstreamCaptureMode mode, std::shared_ptr<Graph> graph,
                 bool own_graph)
    : id_(NextId()),
      origin_(&origin),
      mode_(mode),
      thread_(pthread_self()),
      graph_(std::move(graph)),
      own_graph_(own_graph) {}

void Capture::Begin(const std::vector<GraphEdge>& frontier) {
  All().push_back(this);
  Join(*origin_, frontier);
}

void Capture::Join(Stream& stream, const std::vector<GraphEdge>& frontier) {
  frontiers_[&stream] = frontier;
  stream.set_capture(shared_from_this());
}

void Capture::Leave(Stream& stream) {
  const std::shared_ptr<Capture> keep = shared_from_this();
  frontiers_.erase(&stream);
  stream.set_capture(nullptr);
}

void Capture::End() {
  const std::shared_ptr<Capture> keep = shared_from_this();
  state_ = CaptureState::kEnded;
  for (const auto& [stream, frontier] : frontiers_) stream->set_capture(nullptr);
  frontiers_.clear();
  std::erase(All(), this);
}

void Capture::Spoil() {
  if (state_ == CaptureState::kActive) state_ = CaptureState::kSpoiled;
}

CUresult Capture::AddNode(Stream& stream, NodeParams params) {
  std::vector<GraphEdge>& frontier = frontiers_[&stream];
  GraphNode* node = nullptr;
  SIMGPU_TRY(graph_->AddNode(std::move(params), frontier, &node));
  captured_.push_back(node);
  frontier = {{node, {}}};
  return CUDA_SUCCESS;
}

std::vector<GraphEdge>& Capture::FrontierOf(const Stream& stream) {
  return frontiers_[const_cast<Stream*>(&stream)];
}

// A captured node with nothing behind it must be what the origin stream would go on from.
bool Capture::HasUnjoinedWork() const {
  std::set<const GraphNode*> joined;
  for (const GraphEdge& edge : frontiers_.at(origin_)) joined.insert(edge.node);
  return std::any_of(captured_.begin(), captured_.end(), [&joined](const GraphNode* node) {
    return node->dependents().empty() && !joined.contains(node);
  });
}

const Capture::Report& Capture::ReportOf(const Stream& stream) {
  Report& report = reports_[&stream];
  report = {};
  for (const GraphEdge& edge : FrontierOf(stream)) {
    report.nodes.push_back(edge.node->handle());
    report.edges.push_back(edge.data);
  }
  return report;
}

void MergeEdges(std::vector<GraphEdge>& edges, const std::vector<GraphEdge>& more) {
  for (const GraphEdge& edge : more) {
    const bool there = std::any_of(edges.begin(), edges.end(), [&edge](const GraphEdge& known) {
      return known.node == edge.node;
    });
    if (!there) edges.push_back(edge);
  }
}

}  // namespace simgpu::cuda

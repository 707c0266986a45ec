// In which streams the nodes of an executable graph run. Each node goes on in the branch of one
// that it depends on, if that has nothing after it yet, else in a branch of its own; branch 0 is
// the stream that the graph is launched into. Graphs inside nodes are laid out flat.
#pragma once

#include <cstddef>
#include <vector>

#include "simgpu/cuda/graph/graph.h"

namespace simgpu::cuda {

struct PlanStep {
  const GraphNode* node = nullptr;
  size_t branch = 0;
  std::vector<size_t> waits_for{};  // steps of other branches
  bool is_waited_for = false;       // by steps of other branches
};

struct LaunchPlan {
  std::vector<PlanStep> steps;  // each after those it waits for
  std::vector<int> cards;       // of the branches
};

// For a launch into a stream of `card`. Under GraphLock.
LaunchPlan PlanLaunch(const Graph& graph, int card);

}  // namespace simgpu::cuda

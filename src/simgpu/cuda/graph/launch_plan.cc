#include "simgpu/cuda/graph/launch_plan.h"

#include <algorithm>
#include <map>
#include <optional>

#include "simgpu/cuda/context/context.h"
#include "simgpu/cuda/graph/condition.h"

namespace simgpu::cuda {
namespace {

// More branches than this bring no more overlap: a card runs one kernel at a time.
constexpr size_t kMostBranches = 32;

std::optional<int> CardOfContext(CUcontext handle) {
  const Context* const context = Context::From(handle);
  if (context == nullptr) return std::nullopt;
  return context->card();
}

// Where a node's work runs; nothing for nodes that run anywhere.
std::optional<int> CardOfNode(const GraphNode& node) {
  if (const auto* kernel = node.As<KernelParams>()) return CardOfContext(kernel->launch.ctx);
  if (const auto* copy = node.As<CopyParams>()) return CardOfContext(copy->context);
  if (const auto* fill = node.As<FillParams>()) return CardOfContext(fill->fill.ctx);
  if (const auto* ops = node.As<MemoryOpParams>()) return CardOfContext(ops->context);
  return std::nullopt;
}

// The graph that a node stands for in this launch; nullptr: none.
const Graph* InnerGraphOf(const GraphNode& node) {
  if (const auto* child = node.As<ChildParams>()) return child->graph.get();
  const auto* const condition = node.As<ConditionalParams>();
  if (condition == nullptr) return nullptr;
  const size_t value = ValueAtLaunch(condition->handle);
  // A switch takes the body of its value; an if has one for true, and perhaps one for false.
  const size_t body = condition->type == CU_GRAPH_COND_TYPE_SWITCH ? value : (value != 0 ? 0 : 1);
  return body < condition->bodies.size() ? condition->bodies[body].get() : nullptr;
}

class Planner {
 public:
  explicit Planner(int card) { AddBranch(card); }

  // Lays out a graph whose first nodes wait for `entry`; gives the steps that end it.
  std::vector<size_t> LayOut(const Graph& graph, const std::vector<size_t>& entry) {
    std::map<const GraphNode*, std::vector<size_t>> ends;
    std::vector<size_t> last;
    for (const GraphNode* node : graph.Ordered()) {
      std::vector<size_t> after = node->dependencies().empty() ? entry : std::vector<size_t>();
      for (const GraphEdge& edge : node->dependencies()) Merge(after, ends[edge.node]);
      ends[node] = LayOutNode(*node, after);
      if (node->dependents().empty()) Merge(last, ends[node]);
    }
    return last;
  }

  LaunchPlan Take() { return std::move(plan_); }

 private:
  static void Merge(std::vector<size_t>& steps, const std::vector<size_t>& more) {
    for (const size_t step : more) {
      if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
    }
  }

  std::vector<size_t> LayOutNode(const GraphNode& node, const std::vector<size_t>& after) {
    const bool stands_for_graph =
        node.type() == CU_GRAPH_NODE_TYPE_GRAPH || node.type() == CU_GRAPH_NODE_TYPE_CONDITIONAL;
    if (!stands_for_graph) return {AddStep(node, after)};
    const Graph* const inner = InnerGraphOf(node);
    const bool empty = inner == nullptr || inner->nodes().empty();
    return empty ? after : LayOut(*inner, after);
  }

  size_t AddStep(const GraphNode& node, const std::vector<size_t>& after) {
    const size_t number = plan_.steps.size();
    PlanStep step{.node = &node, .branch = BranchFor(CardOfNode(node), after)};
    for (const size_t before : after) {
      if (plan_.steps[before].branch == step.branch) continue;
      plan_.steps[before].is_waited_for = true;
      step.waits_for.push_back(before);
    }
    last_step_[step.branch] = number;
    plan_.steps.push_back(std::move(step));
    return number;
  }

  size_t BranchFor(std::optional<int> card, const std::vector<size_t>& after) {
    for (const size_t before : after) {
      const size_t branch = plan_.steps[before].branch;
      if (last_step_[branch] == before && Fits(branch, card)) return branch;
    }
    if (plan_.steps.empty() && Fits(0, card)) return 0;
    const int wanted = card.value_or(plan_.cards[0]);
    if (plan_.cards.size() < kMostBranches) return AddBranch(wanted);
    for (size_t branch = 0; branch < plan_.cards.size(); ++branch) {
      if (Fits(branch, wanted)) return branch;
    }
    return AddBranch(wanted);
  }

  bool Fits(size_t branch, std::optional<int> card) const {
    return !card.has_value() || plan_.cards[branch] == *card;
  }

  size_t AddBranch(int card) {
    plan_.cards.push_back(card);
    last_step_.push_back(SIZE_MAX);
    return plan_.cards.size() - 1;
  }

  LaunchPlan plan_;
  std::vector<size_t> last_step_;  // of each branch
};

}  // namespace

LaunchPlan PlanLaunch(const Graph& graph, int card) {
  Planner planner(card);
  planner.LayOut(graph, {});
  return planner.Take();
}

}  // namespace simgpu::cuda

#include "policy/place/rank.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace warpshare::place {

namespace {

constexpr double kMisfit = std::numeric_limits<double>::infinity();

int64_t ScoreOf(double cost, double best, double worst) {
  if (cost == kMisfit) return -1;
  if (worst <= best) return kSecondScore;
  return static_cast<int64_t>(static_cast<double>(kSecondScore) * (worst - cost) / (worst - best));
}

}  // namespace

std::optional<BestNode> FindBest(Placer& placer, std::span<const NodeId> nodes) {
  std::optional<BestNode> best;
  Placement placement;
  for (const NodeId node : nodes) {
    if (!placer.Place(node, placement)) continue;
    if (best && best->placement.cost <= placement.cost) continue;
    if (!best) best.emplace();
    best->node = node;
    std::swap(best->placement, placement);
  }
  return best;
}

void Score(Placer& placer, std::span<const NodeId> nodes, std::vector<int64_t>& scores) {
  std::vector<double> costs;
  costs.reserve(nodes.size());
  Placement placement;
  double worst = -kMisfit;
  for (const NodeId node : nodes) {
    const bool fits = placer.Place(node, placement);
    costs.push_back(fits ? placement.cost : kMisfit);
    if (fits) worst = std::max(worst, placement.cost);
  }
  const auto best = std::min_element(costs.begin(), costs.end());
  scores.clear();
  for (auto cost = costs.begin(); cost != costs.end(); ++cost)
    scores.push_back(cost == best && *cost != kMisfit ? kBestScore : ScoreOf(*cost, *best, worst));
}

}  // namespace warpshare::place

// Which of the nodes that would do is best: a total order, and the same as scores that leave
// kube-scheduler, which draws lots among equals, nothing to draw.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "policy/place/placement.h"

namespace warpshare::place {

inline constexpr int64_t kBestScore = 100;
inline constexpr int64_t kSecondScore = 90;  // at most, for every other node

// The best node, and where the pod would go on it. Among equals the first in `nodes` wins. None
// when it fits nowhere.
struct BestNode {
  NodeId node = 0;
  Placement placement = {};
};
std::optional<BestNode> FindBest(Placer& placer, std::span<const NodeId> nodes);

// A score for each node, in their order: kBestScore for one only, 0..kSecondScore for the others,
// by their cost between the best and the worst; -1 where the pod does not fit.
void Score(Placer& placer, std::span<const NodeId> nodes, std::vector<int64_t>& scores);

}  // namespace warpshare::place

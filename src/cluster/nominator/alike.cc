#include "cluster/nominator/alike.h"

#include <algorithm>

#include "cluster/extender/node_lookup.h"

namespace warpshare::cluster {

namespace {

// Nodes are cordoned, tainted and added meanwhile; then kube-scheduler refuses, and tells anew.
constexpr std::chrono::seconds kLately{10};
// Of 10,000 nodes each, 40 KB apiece.
constexpr size_t kMostKinds = 64;

}  // namespace

void Alike::Learn(uint64_t kind, std::span<const place::NodeId> nodes, platform::Clock::Time now) {
  if (kind == 0) return;
  if (seen_.size() >= kMostKinds && !seen_.contains(kind))
    seen_.erase(
        std::ranges::min_element(seen_, {}, [](const auto& each) { return each.second.at; }));
  Seen& seen = seen_[kind];
  seen.at = now;
  seen.nodes.clear();
  for (const place::NodeId node : nodes)
    if (node != kUnknownNode) seen.nodes.push_back(node);
}

const Alike::Nodes* Alike::NodesFor(uint64_t kind, platform::Clock::Time now) const {
  const auto found = seen_.find(kind);
  return found == seen_.end() || found->second.at + kLately < now ? nullptr : &found->second.nodes;
}

}  // namespace warpshare::cluster

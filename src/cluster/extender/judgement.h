// Which of the nodes that were asked for a pod could go to: where there is room, and the books (a
// namespace's quota) let the pod have it. Changes nothing that anybody else can see.
#pragma once

#include <string_view>
#include <unordered_set>
#include <vector>

#include "cluster/extender/node_lookup.h"
#include "cluster/extender/wire.h"
#include "cluster/inventory/cluster_view.h"
#include "policy/place/filter.h"

namespace warpshare::cluster {

struct Judgement {
  // By the place of each name, in the view; empty for a pod that wants no cards.
  std::vector<place::NodeId> ids = {};
  // By the place of each name. kQuota: the books object, and no eviction would help.
  std::vector<place::Verdict> verdicts = {};
  std::vector<std::string_view> objections = {};  // the books' words, of nodes with kQuota
  std::unordered_set<std::string> texts = {};     // which are kept here
};

Judgement JudgeNodes(ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                     const request::Request& request);

}  // namespace warpshare::cluster

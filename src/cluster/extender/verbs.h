// Filter and Prioritize: questions about a pod that a ClusterView answers at once. Neither writes
// to the API server; a pod whose request makes no sense gets that as the reason of every node, so
// that its user reads it in the pod's events.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster/extender/node_lookup.h"
#include "cluster/extender/verb_stats.h"
#include "cluster/extender/wire.h"
#include "cluster/inventory/cluster_view.h"
#include "policy/place/reason.h"

namespace warpshare::cluster {

struct FilterAnswer {
  std::string text;
  ReasonCounts refused = {};  // nodes
  size_t passed = 0;          // and those that would do
  // The nodes that were asked about, for a pod that waits to be bound; else none.
  std::vector<place::NodeId> asked = {};
};

// Of the nodes where the pod fits the best one alone: kube-scheduler then asks for no scores and
// draws no lots. As it goes on to the next pod before it binds this one, the node's cards are held
// for it until `hold_until_ns`. A pod that the view does not know as waiting is made up, and whole
// nodes are an autoscaler's: both get all nodes that would do, and nothing is held.
FilterAnswer AnswerFilter(ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                          uint64_t hold_until_ns);

// For a pod that Filter did not know yet. The best node has kMaxScore, all others less, so that
// there are no lots to draw; if the pod is known by now, it is held as in Filter.
std::string AnswerPrioritize(ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                             uint64_t hold_until_ns);

// "no_memory: not enough memory left on a card"
std::string_view ReasonText(place::Reason reason);

}  // namespace warpshare::cluster

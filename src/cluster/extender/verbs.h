// Filter, Prioritize and Preempt: questions about a pod that a ClusterView answers at once. None of
// them writes to the API server; a pod whose request makes no sense gets that as the reason of
// every node, so that its user reads it in the pod's events.
#pragma once

#include <cstdint>
#include <string>

#include "cluster/extender/node_lookup.h"
#include "cluster/extender/wire.h"
#include "cluster/inventory/cluster_view.h"
#include "policy/place/reason.h"

namespace warpshare::cluster {

// Changes nothing in the view.
std::string AnswerFilter(const ClusterView& view, NodeLookup& lookup, const NodesArgs& asked);

// The best node has kMaxScore, all others less, so that there are no lots to draw. As
// kube-scheduler goes on to the next pod before it binds this one, the best node's cards are held
// for it until `hold_until_ns`; a pod that the view does not know as waiting is made up, and
// nothing is held.
std::string AnswerPrioritize(ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                             uint64_t hold_until_ns);

// Of the nodes, those where the pod fits once the victims are gone.
std::string AnswerPreempt(const ClusterView& view, const PreemptArgs& asked);

// "no_memory: not enough memory left on a card"
std::string_view ReasonText(place::Reason reason);

}  // namespace warpshare::cluster

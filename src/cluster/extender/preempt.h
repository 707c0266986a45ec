// Preempt: kube-scheduler names nodes where its own counting finds room for a pod once some of less
// priority are gone, and asks whether that is so. It counts a node's amounts as sums; a pod wants
// them of single cards, so that it may take more victims than kube-scheduler named.
#pragma once

#include <string>

#include "cluster/extender/wire.h"
#include "cluster/inventory/cluster_view.h"

namespace warpshare::cluster {

// Of the nodes, those where the pod fits once the victims are gone: kube-scheduler's own, and as
// few as it takes beside them that have less priority than the pod, those of most priority spared
// first.
// None where the namespace's quota would not let the pod have it. Changes nothing in the view.
//
// `cleared` is the node that was named for the pod (status.nominatedNodeName), if kube-scheduler
// has just asked about it, so that its own rules let the pod go there; else empty. Where that will
// have room once those have left who are about to, nobody is driven out anywhere: kube-scheduler
// sees to that itself until it sees the last of them gone, which may be sooner than here.
std::string AnswerPreempt(const ClusterView& view, const PreemptArgs& asked,
                          const std::string& cleared);

}  // namespace warpshare::cluster

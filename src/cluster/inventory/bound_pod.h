// What a pod that is on a node holds there, by its own annotation, as far as that is believed
// (policy/request/bound_assignment.h). Amounts are brought to what is asked for now
// (resize_list.h). That a card is not used beyond what it has is the node's to see to.
#pragma once

#include "policy/place/ledger.h"
#include "policy/request/assignment.h"
#include "policy/request/pod_view.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::cluster {

struct BoundPod {
  place::PodHold hold;
  request::Assignment assignment;  // empty where it asks for no cards
};

// kNotFound: it asks for cards and has no assignment, so it came here past the scheduler.
// kCorrupt, kInvalid, kConflict: it has one that cannot be.
Result<BoundPod> ReadBoundPod(const request::PodView& untrusted_pod,
                              const request::Request& request);

}  // namespace warpshare::cluster

// What a pod that is on a node holds there, by its own annotation. Anybody who may edit the pod may
// be able to change that. So it counts only for the cards that the spec asks for; amounts count
// whatever they are, since they may have been asked for when they were written, and are brought to
// what is asked for now (resize_list.h). That a card is not used beyond what it has is the node's
// to see to.
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

// What a pod that is on a node holds there, by its own annotation. Anybody who may edit the pod can
// change the annotation, so it counts only where it keeps to what the pod's spec asks for.
#pragma once

#include "policy/place/ledger.h"
#include "policy/request/pod_view.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::cluster {

// kNotFound: it asks for cards and has no assignment, so it came here past the scheduler.
// kCorrupt, kInvalid, kConflict: it has one that cannot be.
Result<place::PodHold> HoldOfBound(const request::PodView& untrusted_pod,
                                   const request::Request& request);

}  // namespace warpshare::cluster

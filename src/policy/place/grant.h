// From a placement to what is written about it: the hold in the ledger and the assignment on the
// pod; and back, when the ledger is rebuilt from pods.
#pragma once

#include "policy/place/placement.h"
#include "policy/request/assignment.h"

namespace warpshare::place {

request::Assignment AssignmentOf(const request::Request& request, const Ledger& ledger, NodeId node,
                                 const Placement& placement);

PodHold HoldOf(const request::Request& request, const Ledger& ledger, NodeId node,
               const Placement& placement);

// The hold of a pod that carries this assignment. Containers of the pod that are not in it, and of
// it that are not in the pod, count for nothing.
PodHold HoldOf(const request::Request& request, const request::Assignment& assignment);

}  // namespace warpshare::place

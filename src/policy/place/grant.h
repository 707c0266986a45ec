// From a placement to what is written about it: the hold in the ledger and the assignment on the
// pod; and back, when the ledger is rebuilt from pods.
#pragma once

#include <optional>
#include <string>

#include "policy/place/placement.h"
#include "policy/request/assignment.h"

namespace warpshare::place {

request::Assignment AssignmentOf(const request::Request& request, const Ledger& ledger, NodeId node,
                                 const Placement& placement);

PodHold HoldOf(const request::Request& request, const Ledger& ledger, NodeId node,
               const Placement& placement);

// The cards that the pod has, with what it asks for now. None where that cannot be said: a card is
// not known, or a container has another number of cards or whole ones.
std::optional<request::Assignment> Renewed(const request::Request& request,
                                           const request::Assignment& assignment,
                                           const Ledger& ledger);

// The hold of a pod that carries this assignment. Containers of the pod that are not in it, and of
// it that are not in the pod, count for nothing.
PodHold HoldOf(const request::Request& request, const request::Assignment& assignment);

// What is enough for either of two holds on the same cards.
PodHold EnoughForBoth(const PodHold& left, const PodHold& right);

// In words, for a hold that is to become another and finds no room: what is missing where.
std::string WhatIsMissing(const Ledger& ledger, const PodHold& from, const PodHold& to);

}  // namespace warpshare::place

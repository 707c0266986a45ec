// How a command sees to it that its tenants' cards have an arbiter: `warpshare-node --local` is
// started when none runs, and ends by itself some time after the last tenant.
#pragma once

#include <string>

#include "node/tenancy/state_dir.h"
#include "result/result.h"

namespace warpshare::node {

// To be called once the tenant is there and its terms are stored, whether or not they were stored
// just now: a node that is about to end looks for tenants once more, and so sees this one or ends
// before this call looks for a node.
//
// `program_folder` has warpshare-node. Returns at once if a node runs; else starts one and waits, 2
// s at most, until it serves all tenants that are there. However many call at once, one node stays.
// Its log is <state>/node.log. From a program of one thread only.
//
// An error is one to tell of and go on: without an arbiter, each tenant keeps itself to its static
// share.
Result<void> EnsureLocalNode(const StateDir& state, const std::string& program_folder);

}  // namespace warpshare::node

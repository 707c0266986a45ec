// What is believed of the assignment of a pod on a node, by the scheduler and by the node alike.
// Anybody who may edit the pod may be able to change it. So it counts only on the node that the pod
// is on, and for the cards that the spec asks for; amounts count whatever they are, since they may
// have been asked for when they were written.
#pragma once

#include <string>
#include <string_view>

#include "policy/request/assignment.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::request {

// kCorrupt, kInvalid, kConflict: it is none that could have been given to the pod there.
Result<Assignment> ReadBoundAssignment(std::string_view untrusted_text, const Request& request,
                                       const std::string& node);

}  // namespace warpshare::request

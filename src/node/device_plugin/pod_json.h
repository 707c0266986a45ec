// A pod as the API server writes it, read as far as a request needs it.
#pragma once

#include "node/device_plugin/assignment_source.h"
#include "platform/json/json.h"
#include "result/result.h"

namespace warpshare::node {

// With the request in warpshare's own names. An error: the request makes no sense.
Result<PodOnNode> PodFromJson(const json::View& untrusted_pod);

}  // namespace warpshare::node

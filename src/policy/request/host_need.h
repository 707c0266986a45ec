// A pod's processor and memory, in its peak: ordinary containers and sidecars together, or an init
// container beside the sidecars started before it, whichever is more.
#pragma once

#include "policy/request/pod_view.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::request {

Result<HostNeed> ReadHostNeed(const PodView& untrusted_pod);

}  // namespace warpshare::request

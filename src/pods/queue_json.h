// What a Pod object says to kube-scheduler's queue, and about the nodes that it may go to.
#pragma once

#include "platform/json/json.h"
#include "policy/request/pod_view.h"

namespace warpshare::pods {

request::QueueView QueueViewOf(json::View untrusted_pod);

}  // namespace warpshare::pods

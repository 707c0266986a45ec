// The few fields of a Pod object that a request is read from.
#pragma once

#include "platform/json/json.h"
#include "policy/request/pod_view.h"

namespace warpshare::pods {

// Whatever is missing, or of another kind than it should be, is empty.
request::PodView PodViewOf(json::View untrusted_pod);

// It holds nothing any more: all its containers have ended and none starts again.
bool HasEnded(json::View untrusted_pod);

}  // namespace warpshare::pods

// Pods that could not run on this cluster were it empty: refused at the door, with a reason for the
// user, instead of pending for ever.
#pragma once

#include <optional>

#include "policy/admit/inventory.h"
#include "policy/request/pod_view.h"
#include "policy/request/request.h"
#include "result/error.h"

namespace warpshare::admit {

// None: it may work. An empty inventory refuses nothing for its cards, since a cluster may be
// scaled up from none; nor does a model that is not there yet.
std::optional<Error> NeverWorks(const request::PodView& pod, const request::Request& request,
                                const Inventory& inventory);

}  // namespace warpshare::admit

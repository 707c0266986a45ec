// Which folders of the machine the containers of a Pod object see.
#pragma once

#include <vector>

#include "platform/json/json.h"
#include "policy/admit/host_mounts.h"

namespace warpshare::pods {

// By volumes of hostPath. Of those that a claim brings, an administrator chose the folder.
std::vector<admit::HostMount> HostMountsOf(json::View untrusted_pod);

}  // namespace warpshare::pods

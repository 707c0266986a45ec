// `warpshare-node --kubelet-dir`: a cluster's node. The device plugin, and the arbiters of its
// containers, in one process. Not in a lean build.
#pragma once

#include "apps/warpshare_node/node_options.h"
#include "platform/log_file/log_file.h"
#include "result/result.h"

namespace warpshare::app {

// Returns when it was told to end. Containers go on; each keeps to its static share until the next
// daemon.
Result<void> ServeKubelet(const NodeOptions& options, platform::Log& log);

}  // namespace warpshare::app

// `warpshare-node --local`: the arbiters of one state folder's tenants.
#pragma once

#include "apps/warpshare_node/node_options.h"
#include "platform/log_file/log_file.h"
#include "result/result.h"

namespace warpshare::app {

// Returns when the node ended.
Result<void> ServeLocalTenants(const NodeOptions& options, platform::Log& log);

}  // namespace warpshare::app

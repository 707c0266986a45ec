// Whoever makes or changes a tenant that is held back sees to it that its cards have an arbiter.
#pragma once

#include "node/tenancy/state_dir.h"

namespace warpshare::app {

// To be called when the terms are stored. Failing to is no error, but told of: each tenant keeps
// itself to its share until there is one.
void SeeToArbiter(const node::StateDir& state);

}  // namespace warpshare::app

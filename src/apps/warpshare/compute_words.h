// The flags that say how much of a card's time a tenant gets; `run` and `set` take the same.
#pragma once

#include <optional>

#include "apps/warpshare/options.h"
#include "node/tenancy/compute_limit.h"
#include "result/result.h"

namespace warpshare::app {

bool IsAnySaid(const ComputeWords& words);

// None: nothing was said. Errors name the flag.
Result<std::optional<node::ComputeRequest>> ReadCompute(const ComputeWords& words);

// An error of policy/share, which names a field of the terms, as one that names the flag.
Error NamingTheFlag(Error error);

}  // namespace warpshare::app

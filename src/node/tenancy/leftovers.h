// Tenants that nobody is in any more: `warpshare run` was killed, or what it started outlived it
// and then ended. They cost a few kilobytes and a name; whoever next looks at tenants removes them.
#pragma once

#include <string>
#include <vector>

#include "node/tenancy/state_dir.h"

namespace warpshare::node {

// Names of tenant folders, those in use and those left over, sorted. Anything else that lies there
// is not ours and not named.
std::vector<std::string> TenantNames(const StateDir& state);

std::vector<std::string> FindLeftovers(const StateDir& state);

// Removes them, and half-made folders; returns the names of those that were tenants. The state's
// lock is held by the caller.
std::vector<std::string> ReapLeftovers(const StateDir& state);

// Takes a tenant's folder away: first its name, in one step, then what is in it.
Result<void> RemoveTenant(const StateDir& state, const std::string& path);

}  // namespace warpshare::node

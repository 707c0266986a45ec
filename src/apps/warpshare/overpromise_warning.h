// Promising more of a card than there is is no error: tenants may not want it at the same time.
#pragma once

#include "node/tenancy/state_dir.h"
#include "types/tenant_name.h"

namespace warpshare::app {

// One line on standard error for each such card of the tenant.
void WarnOfOverpromises(const node::StateDir& state, const TenantName& tenant);

}  // namespace warpshare::app

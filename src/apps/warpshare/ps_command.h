// warpshare ps: who is on the cards right now.
#pragma once

#include <vector>

#include "apps/warpshare/options.h"
#include "node/tenancy/tenant_report.h"
#include "result/result.h"

namespace warpshare::app {

int Ps(const PsOptions& options);

// All tenants in use, after leftovers were removed. Without a state folder there are none.
Result<std::vector<node::TenantReport>> TenantsNow();

}  // namespace warpshare::app

#include "apps/warpshare/ps_command.h"

#include <cstdio>

#include "apps/warpshare/complaint.h"
#include "apps/warpshare/tenant_text.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/clock.h"

namespace warpshare::app {

Result<std::vector<node::TenantReport>> TenantsNow() {
  const auto state = node::StateDir::Open(node::StateDir::DefaultPath(), node::IfMissing::kFail);
  if (!state) {
    if (state.error().code == Errc::kNotFound) return std::vector<node::TenantReport>();
    return Fail(state.error());
  }
  if (!node::FindLeftovers(*state).empty()) {
    platform::SystemClock clock;
    // Looking must not fail because cleaning cannot.
    if (const auto lock = state->Lock(clock)) node::ReapLeftovers(*state);
  }
  return node::ReportTenants(*state);
}

int Ps(const PsOptions& options) {
  const auto tenants = TenantsNow();
  if (!tenants) return ExitWith(tenants.error());
  if (options.names_only) {
    for (const node::TenantReport& tenant : *tenants) std::puts(tenant.name.c_str());
  } else if (options.json) {
    std::puts(TenantJson(*tenants).c_str());
  } else if (tenants->empty()) {
    std::puts("no tenants");
  } else {
    for (const std::string& line : TenantTable(*tenants, /*width=*/0)) std::puts(line.c_str());
  }
  return kSuccess;
}

}  // namespace warpshare::app

#include "apps/warpshare/ps_command.h"

#include <cstdio>
#include <string>
#include <vector>

#include "apps/warpshare/complaint.h"
#include "apps/warpshare/compute_text.h"
#include "apps/warpshare/tenant_text.h"
#include "node/local/arbiter_state.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/state_dir.h"
#include "platform/clock/clock.h"

namespace warpshare::app {

namespace {

void Print(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::puts(line.c_str());
}

}  // namespace

Result<Observation> ObserveTenants() {
  platform::SystemClock clock;
  Observation now = {.tenants = {}, .at = clock.Now()};
  const auto state = node::StateDir::Open(node::StateDir::DefaultPath(), node::IfMissing::kFail);
  if (!state) {
    if (state.error().code == Errc::kNotFound) return now;
    return Fail(state.error());
  }
  if (!node::FindLeftovers(*state).empty()) {
    // Looking must not fail because cleaning cannot.
    if (const auto lock = state->Lock(clock)) node::ReapLeftovers(*state);
  }
  now.at = clock.Now();
  now.tenants = node::ReportTenants(*state);
  now.arbiter = node::ArbiterOf(*state, now.tenants, now.at);
  return now;
}

int Ps(const PsOptions& options) {
  const auto now = ObserveTenants();
  if (!now) return ExitWith(now.error());
  if (options.names_only) {
    for (const node::TenantReport& tenant : now->tenants) std::puts(tenant.name.c_str());
  } else if (options.json) {
    std::puts(TenantJson(nullptr, *now).c_str());
  } else if (now->tenants.empty()) {
    std::puts("no tenants");
  } else {
    Print(TenantTable(now->tenants, /*width=*/0));
    if (const auto lines = ComputeTable(nullptr, *now, /*width=*/0); !lines.empty()) {
      std::puts("");
      Print(lines);
    }
  }
  return kSuccess;
}

}  // namespace warpshare::app

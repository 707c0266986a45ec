// Whether the tenants of a state folder have an arbiter that does its work.
#pragma once

#include <vector>

#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_report.h"
#include "platform/clock/clock.h"

namespace warpshare::node {

enum class ArbiterState {
  kNone,   // no node runs
  kHangs,  // one runs, and has not renewed a turn that it began to hand out for two seconds
  kRuns,
};

// `tenants` as they were at `now`.
ArbiterState ArbiterOf(const StateDir& state, const std::vector<TenantReport>& tenants,
                       platform::Clock::Time now);

}  // namespace warpshare::node

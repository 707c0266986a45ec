// `warpshare set`: a running tenant's limits, changed where they stand. Its processes see it at
// their next call. A limit below what the tenant holds takes nothing away: it gets no new memory
// until it is under.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "node/tenancy/compute_limit.h"
#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_report.h"
#include "platform/clock/clock.h"
#include "result/result.h"
#include "types/memory_amount.h"
#include "types/tenant_name.h"

namespace warpshare::node {

// What was said; the rest stays.
struct LimitRequest {
  TenantName tenant;
  std::optional<std::string> card;  // by index or uuid; none: all that it has
  std::optional<MemoryAmount> memory = {};
  std::optional<ComputeRequest> compute = {};
};

struct LimitChange {
  CardReport card;              // as it was before
  std::optional<Bytes> memory;  // as it is now
  ComputeLimit compute;
};

// Nothing is changed unless all can be. kNotFound: no such tenant is running, or it has no such
// card.
Result<std::vector<LimitChange>> ChangeLimits(const StateDir& state, const LimitRequest& request,
                                              platform::Clock& clock);

}  // namespace warpshare::node

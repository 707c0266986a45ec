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

struct MemoryChange {
  std::optional<MemoryAmount> most;  // none: no limit any more
};

// What was said; the rest stays.
struct LimitRequest {
  TenantName tenant;
  // By index, or the beginning of a uuid that one of its cards alone has; none: all that it has.
  std::optional<std::string> card;
  std::optional<MemoryChange> memory = {};
  std::optional<ComputeRequest> compute = {};
};

struct LimitChange {
  CardReport card;              // as it was before
  std::optional<Bytes> memory;  // as it is now
  ComputeLimit compute;
};

// Nothing is changed unless all can be. kNotFound: no such tenant is running, or it has no such
// card. kInvalid: several of its cards are named by the same word.
Result<std::vector<LimitChange>> ChangeLimits(const StateDir& state, const LimitRequest& request,
                                              platform::Clock& clock);

}  // namespace warpshare::node

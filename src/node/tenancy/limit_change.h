// `warpshare set`: a running tenant's limits, changed where they stand. Its processes see it at
// their next call. A limit below what the tenant holds takes nothing away: it gets no new memory
// until it is under.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_report.h"
#include "result/result.h"
#include "types/memory_amount.h"
#include "types/tenant_name.h"

namespace warpshare::node {

struct LimitChange {
  CardReport card;  // as it was before
  Bytes limit;      // as it is now
};

// On all cards of the tenant, or on the one named by index or uuid. Nothing is changed unless all
// can be. kNotFound: no such tenant is running, or it has no such card.
Result<std::vector<LimitChange>> ChangeLimits(const StateDir& state, const TenantName& name,
                                              MemoryAmount memory,
                                              const std::optional<std::string>& card);

}  // namespace warpshare::node

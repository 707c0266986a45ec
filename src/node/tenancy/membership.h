// Being in a tenant, for the time of one `warpshare run`: the first one in makes it, later ones of
// the same name join it, the last one out takes it away.
//
// The kernel keeps the record: each run holds a shared lock on the tenant's file `runs`, and the
// program it starts inherits it. So a run that is killed with SIGKILL neither ends its program nor
// leaves it without a tenant; the folder stays until the program and all it started are gone, and
// is removed by the next `warpshare run` or `ps` (leftovers.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "node/tenancy/compute_limit.h"
#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/nvml/nvml.h"
#include "platform/region_file/limits_file.h"
#include "result/result.h"
#include "types/memory_amount.h"
#include "types/tenant_name.h"

namespace warpshare::node {

// What a run asks for. A new tenant gets it; one that is there already must not disagree with what
// was said, and keeps what it has where nothing was said.
struct TenantRequest {
  TenantName name;
  std::vector<platform::Card> machine;         // all cards of the driver
  std::vector<platform::Card> chosen;          // of these
  bool cards_stated;                           // by --gpu
  std::optional<MemoryAmount> memory;          // of each card; none: not stated
  std::optional<ComputeRequest> compute = {};  // the same
};

class Membership {
 public:
  static Result<Membership> Enter(const StateDir& state, const TenantRequest& request,
                                  platform::Clock& clock);

  const TenantDir& tenant() const { return tenant_; }
  const platform::Limits& limits() const { return limits_; }

  // Removes the tenant if nobody else is in it. Not being able to is no error of the run: it is
  // then left over.
  void Leave(const StateDir& state, platform::Clock& clock);

 private:
  Membership(TenantDir tenant, platform::Limits limits, platform::Descriptor runs)
      : tenant_(std::move(tenant)), limits_(std::move(limits)), runs_(std::move(runs)) {}

  static Result<Membership> Create(const StateDir& state, const TenantRequest& request);
  static Result<Membership> Join(const TenantDir& tenant, const TenantRequest& request);

  TenantDir tenant_;
  platform::Limits limits_;
  platform::Descriptor runs_;  // inherited by children
};

}  // namespace warpshare::node

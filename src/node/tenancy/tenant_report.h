// What people and programs are shown of a tenant: the host's limits beside the tenant's own word on
// what it holds, checked and made printable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "node/tenancy/compute_limit.h"
#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_dir.h"
#include "node/tenancy/usage_reading.h"
#include "result/result.h"
#include "types/bytes.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

// GPU time on one card. Of processes that live: when one ends, what it used and waited goes with
// it.
struct ComputeReport {
  ComputeLimit limit;
  uint64_t granted_ns = 0;      // by the arbiter, to the tenant
  uint64_t valid_until_ns = 0;  // platform::TurnReading::valid_until_ns
  uint64_t used_ns = 0;
  uint32_t waiting = 0;    // processes that wait for the card now
  uint64_t waited_ns = 0;  // by all calls together
  WaitCounts waits = {};   // of all calls that ever were
};

struct CardReport {
  std::optional<uint32_t> index;  // as nvidia-smi counts; none: the note of it is gone
  GpuUuid uuid;
  std::string name;
  std::optional<Bytes> limit;  // none: no limit
  Bytes capacity;
  Bytes used;  // by processes that live; what dead ones held is as good as given back
  Bytes peak;
  uint64_t refusals;
  ComputeReport compute = {};
};

// Which process it is, also when another one gets its slot or its pid.
struct ProcessIdentity {
  uint32_t slot;
  uint32_t pid;
  uint64_t start_time;  // clock ticks after boot

  auto operator<=>(const ProcessIdentity&) const = default;
};

struct ProcessReport {
  uint32_t pid;
  bool pid_is_ours;                   // false: it counts in another pid namespace
  std::string command;                // the tenant's word, printable
  std::vector<Bytes> used;            // beside the tenant's cards
  std::vector<uint64_t> gpu_ns = {};  // the same: GPU time used
  ProcessIdentity identity = {};
};

struct TenantReport {
  std::string name;
  std::vector<CardReport> cards;
  std::vector<ProcessReport> processes;
  std::string problem;  // why figures are missing; usually empty
};

Result<TenantReport> ReportTenant(const TenantDir& tenant, const std::string& name);

// All tenants in use, by name. One that goes away meanwhile is left out.
std::vector<TenantReport> ReportTenants(const StateDir& state);

}  // namespace warpshare::node

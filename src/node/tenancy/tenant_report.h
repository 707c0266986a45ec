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
#include "result/result.h"
#include "types/bytes.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

struct ComputeReport {
  ComputeLimit limit;
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

struct ProcessReport {
  uint32_t pid;
  bool pid_is_ours;         // false: it counts in another pid namespace
  std::string command;      // the tenant's word, printable
  std::vector<Bytes> used;  // beside the tenant's cards
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

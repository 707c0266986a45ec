// A container of Kubernetes as a tenant. Its folder is made when the kubelet allocates devices to
// it, when nobody knows yet whose it is: a page without cards, so that whatever started by mistake
// would get nothing. The container's mounts name that folder for as long as its pod is there; each
// start fills in what the container was given.
//
// Names begin with kContainerPrefix. As long as such a folder has its claim, nobody but the node
// daemon removes it: a container between two starts has no process.
#pragma once

#include <string>
#include <vector>

#include "node/tenancy/container_claim.h"
#include "node/tenancy/state_dir.h"
#include "node/tenancy/tenant_dir.h"
#include "platform/region_file/limits_file.h"
#include "result/result.h"

namespace warpshare::node {

inline constexpr char kContainerPrefix[] = "c-";

struct ContainerTenant {
  std::string name;  // of the folder
  TenantDir dir;
  ContainerClaim claim;
};

// The state's lock is held by the caller of each of these.
Result<TenantDir> MakeContainerTenant(const StateDir& state,
                                      const std::vector<std::string>& device_ids);

// The one whose tenant's side is at this path. Made again at the same place if it is gone, as after
// a restart of the machine when the state folder is in memory. kInvalid: no folder of this state
// folder can be there.
Result<ContainerTenant> FindContainerTenant(const StateDir& state, const std::string& tenant_side,
                                            const std::vector<std::string>& device_ids);

// Before a start: the container begins with these limits and nothing used. What processes of it
// that are still there hold stays charged.
Result<void> FillContainerTenant(const ContainerTenant& tenant, const platform::Limits& limits,
                                 const std::vector<platform::Card>& cards);

// Of one that may be running: other amounts of the cards that it has, in the page's order, and the
// claim that says so. Its processes see them at their next call. kCorrupt: the page has other
// cards.
Result<void> ChangeContainerTenant(const ContainerTenant& tenant,
                                   const std::vector<platform::CardLimit>& limits);

// Those with a claim that can be read.
std::vector<ContainerTenant> ContainerTenants(const StateDir& state);

std::string ClaimPath(const std::string& tenant_path);

}  // namespace warpshare::node

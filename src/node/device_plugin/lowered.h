// Memory that a container may not have any more and uses still: its limit was lowered while it
// held more. Until it is under, what it uses counts, at most what it had.
#pragma once

#include <string>
#include <vector>

#include "node/tenancy/container_tenant.h"
#include "policy/request/assignment.h"

namespace warpshare::node {

// Raises the pod's amounts to what its containers use.
void CountUseAbove(const std::string& pod_uid, const std::vector<ContainerTenant>& tenants,
                   request::Assignment& assignment);

// What ContainerClaim::lowered_from is to be when the assignment becomes `after`.
std::string LoweredFrom(const ContainerClaim& before, const request::Assignment& after);

// It uses no more than it may.
bool IsUnderItsLimits(const ContainerTenant& tenant);

}  // namespace warpshare::node

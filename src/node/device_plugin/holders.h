// Who holds a part of this node's cards: everybody who is bound to it, and whoever is gone for the
// cluster while processes of his are still there.
#pragma once

#include <string>
#include <vector>

#include "node/device_plugin/assignment_source.h"
#include "node/tenancy/container_tenant.h"
#include "policy/request/assignment.h"
#include "policy/request/request.h"

namespace warpshare::node {

using Tenants = std::vector<ContainerTenant>;

struct Holder {
  std::string key;  // the pod's uid; of a container whose pod is gone, its own beside that
  std::string pod_uid;
  request::Request request;
  request::Assignment assignment;
  bool is_gone = false;
};

// A pod that has started counts with what it started with, whatever was made of its annotation
// since; one that has not, with what the scheduler would believe of it, too
// (policy/request/bound_assignment.h). Of a pod that is gone each container counts by itself.
std::vector<Holder> HoldersOf(const std::vector<PodOnNode>& pods, const Tenants& tenants);

// Of the pod's first container that started; none: none did.
const ContainerClaim* FindClaim(const std::string& pod_uid, const Tenants& tenants);

}  // namespace warpshare::node

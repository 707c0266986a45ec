#include "node/device_plugin/holders.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "node/tenancy/presence.h"
#include "policy/request/bound_assignment.h"

namespace warpshare::node {

namespace {

std::optional<Holder> GoneHolderOf(const ContainerTenant& tenant) {
  if (!HasProcesses(tenant.dir)) return std::nullopt;
  const auto assignment = request::DecodeAssignment(tenant.claim.assignment);
  if (!assignment) return std::nullopt;
  const request::ContainerGrant* grant = assignment->Find(tenant.claim.container);
  if (grant == nullptr) return std::nullopt;
  request::Request lone;
  lone.containers.push_back({.name = grant->container});
  return Holder{.key = tenant.claim.pod_uid + "/" + grant->container,
                .pod_uid = tenant.claim.pod_uid,
                .request = std::move(lone),
                .assignment = {.node = assignment->node, .containers = {*grant}},
                .is_gone = true};
}

// Of a pod that has started, the node's own word; else what is believed of the cluster's.
std::optional<request::Assignment> AssignmentOf(const PodOnNode& pod, const Tenants& tenants) {
  const ContainerClaim* claim = FindClaim(pod.request.pod_uid, tenants);
  if (claim == nullptr && !request::WantsCards(pod.request)) return std::nullopt;
  auto assignment = claim != nullptr ? request::DecodeAssignment(claim->assignment)
                                     : request::ReadBoundAssignment(pod.untrusted_assignment,
                                                                    pod.request, pod.node);
  if (!assignment) return std::nullopt;
  return std::move(*assignment);
}

}  // namespace

std::vector<Holder> HoldersOf(const std::vector<PodOnNode>& pods, const Tenants& tenants) {
  std::vector<Holder> holders;
  std::set<std::string_view> there;
  for (const PodOnNode& pod : pods) {
    const std::string& uid = pod.request.pod_uid;
    there.insert(uid);
    if (auto assignment = AssignmentOf(pod, tenants))
      holders.push_back({uid, uid, pod.request, std::move(*assignment)});
  }
  for (const ContainerTenant& tenant : tenants)
    if (!tenant.claim.pod_uid.empty() && !there.contains(tenant.claim.pod_uid))
      if (auto gone = GoneHolderOf(tenant)) holders.push_back(std::move(*gone));
  return holders;
}

const ContainerClaim* FindClaim(const std::string& pod_uid, const Tenants& tenants) {
  const auto found = std::ranges::find_if(
      tenants, [&](const ContainerTenant& tenant) { return tenant.claim.pod_uid == pod_uid; });
  return found == tenants.end() ? nullptr : &found->claim;
}

}  // namespace warpshare::node

#include "node/device_plugin/holders.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "node/tenancy/presence.h"

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

}  // namespace

std::vector<Holder> HoldersOf(const std::vector<PodOnNode>& pods, const Tenants& tenants) {
  std::vector<Holder> holders;
  std::set<std::string_view> there;
  for (const PodOnNode& pod : pods) {
    const std::string& uid = pod.request.pod_uid;
    there.insert(uid);
    const ContainerClaim* claim = FindClaim(uid, tenants);
    auto assignment =
        request::DecodeAssignment(claim != nullptr ? claim->assignment : pod.untrusted_assignment);
    if (assignment) holders.push_back({uid, uid, pod.request, std::move(*assignment)});
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

#include "node/device_plugin/container_start.h"

#include <algorithm>

#include "node/tenancy/card_promises.h"
#include "types/tenant_name.h"

namespace warpshare::node {

namespace {

using platform::DeviceIds;
using request::CardGrant;
using request::ContainerGrant;

DeviceIds Sorted(DeviceIds ids) {
  std::ranges::sort(ids);
  return ids;
}

std::string NameOf(const request::Request& pod) { return pod.namespace_name + "/" + pod.pod_name; }

PodName NameIn(const PodOnNode& pod) { return {pod.request.namespace_name, pod.request.pod_name}; }

// For people: it is printed by what reads limits pages.
std::string LabelOf(const ContainerTenant& tenant) {
  const std::string label =
      (tenant.claim.pod_name + "." + tenant.claim.container).substr(0, TenantName::kMaxLength);
  return ParseTenantName(label) ? label : tenant.name;
}

bool IsGone(const Result<void>& heard) { return !heard && heard.error().code == Errc::kNotFound; }

// The kubelet gives a container the same mounts at each of its starts, also after the machine's.
Result<void> CheckDriverFiles(const platform::HostRoot& host,
                              const std::vector<DeviceOwner>& owners) {
  for (const DeviceOwner& owner : owners)
    for (const std::string& file : owner.driver_files)
      if (!host.Find(file))
        return Fail(Errc::kConflict, "the container was given " + file +
                                         ", which is not on the host any more: its driver is "
                                         "another one by now: delete the pod");
  return {};
}

}  // namespace

Result<void> ContainerStart::Prepare(const DeviceIds& unsorted) {
  const DeviceIds ids = Sorted(unsorted);
  const auto owners = ports_.record.OwnersOf(ids);
  if (!owners) return Fail(owners.error());
  if (auto there = CheckDriverFiles(ports_.host, *owners); !there) return there;
  const std::vector<Result<void>> heard = AwaitPods(*owners);
  const std::scoped_lock deciding(deciding_);
  const auto lock = state_.Lock(ports_.clock);
  if (!lock) return Fail(lock.error());
  const bool is_anybody_here = std::ranges::any_of(heard, &Result<void>::has_value);
  for (size_t i = 0; i < owners->size(); ++i) {
    const DeviceOwner& owner = (*owners)[i];
    if (owner.may_be_gone && is_anybody_here && IsGone(heard[i])) continue;
    if (auto prepared = PrepareOwner(owner, heard[i], ids); !prepared) return prepared;
  }
  SpreadStaticShares(state_);
  return {};
}

// With no lock held: the kubelet gives a pod up whose Allocate waits for one in vain.
std::vector<Result<void>> ContainerStart::AwaitPods(const std::vector<DeviceOwner>& owners) const {
  std::vector<Result<void>> heard;
  const auto pods = ports_.source.Pods();
  for (const DeviceOwner& owner : owners) {
    auto& each = heard.emplace_back();
    if (!pods)
      each = Fail(pods.error());
    else if (const auto pod = FindPod(owner); !pod)
      each = Fail(pod.error());
  }
  return heard;
}

Result<void> ContainerStart::PrepareOwner(const DeviceOwner& owner, const Result<void>& heard,
                                          const DeviceIds& ids) {
  const std::vector<ContainerTenant> tenants = ContainerTenants(state_);
  auto tenant = FindTenant(owner, ids, tenants);
  if (!tenant) return Forward(tenant);
  const auto pod = heard ? FindPodNow(owner) : Result<PodOnNode>(Fail(heard.error()));
  const bool ran_before = !owner.pod_uid.empty() && tenant->claim.pod_uid == owner.pod_uid;
  if (!pod && pod.error().code == Errc::kUnavailable && ran_before) return FillAgain(*tenant);
  if (!pod) return Fail(pod.error());
  const std::string& claimed_by = tenant->claim.pod_uid;
  if (!claimed_by.empty() && claimed_by != pod->request.pod_uid)
    return Fail(Errc::kConflict, "the container's folder belongs to pod " + tenant->claim.pod_name +
                                     " (" + claimed_by + "): delete the pod");
  const auto given = grants_.Find(*pod, tenants);
  if (!given) return Fail(given.error());
  const ContainerGrant* grant = given->assignment.Find(owner.container);
  if (grant == nullptr || grant->cards.size() != ids.size())
    return Fail(Errc::kConflict, "container '" + owner.container + "' has " +
                                     std::to_string(ids.size()) +
                                     " devices, its assignment another number of cards: delete "
                                     "the pod");
  tenant->claim = {.device_ids = ids,
                   .pod_uid = pod->request.pod_uid,
                   .pod_namespace = pod->request.namespace_name,
                   .pod_name = pod->request.pod_name,
                   .assignment = given->text,
                   .container = owner.container};
  return Fill(*tenant, *grant);
}

// A container that starts again while the cluster does not answer gets what it had.
Result<void> ContainerStart::FillAgain(const ContainerTenant& tenant) {
  auto assignment = request::DecodeAssignment(tenant.claim.assignment);
  if (!assignment) return Forward(assignment);
  const ContainerGrant* grant = assignment->Find(tenant.claim.container);
  if (grant == nullptr)
    return Fail(Errc::kCorrupt, ClaimPath(tenant.dir.path()) + " contradicts itself: remove it");
  return Fill(tenant, *grant);
}

// May wait.
Result<PodOnNode> ContainerStart::FindPod(const DeviceOwner& owner) const {
  return owner.pod_uid.empty() ? ports_.source.FindByName(owner.pod->name_space, owner.pod->name)
                               : ports_.source.FindByUid(owner.pod_uid);
}

// As it is now, under the locks: it was there before. All pods are known once they were, so this
// does not wait.
Result<PodOnNode> ContainerStart::FindPodNow(const DeviceOwner& owner) const {
  const auto pods = ports_.source.Pods();
  if (!pods) return Fail(pods.error());
  const auto pod = std::ranges::find_if(*pods, [&](const PodOnNode& each) {
    return owner.pod_uid.empty() ? NameIn(each) == *owner.pod
                                 : each.request.pod_uid == owner.pod_uid;
  });
  if (pod == pods->end()) return Fail(Errc::kNotFound, "the pod has gone from this node meanwhile");
  if (owner.pod && *owner.pod != NameIn(*pod))
    return Fail(Errc::kConflict, "the kubelet says that the devices are of pod " +
                                     owner.pod->name_space + "/" + owner.pod->name +
                                     ", the cluster says " + NameOf(pod->request) +
                                     ": delete the pod");
  return *pod;
}

// The checkpoint says which folder the container's mounts name. Without it, there must be one that
// was made for these devices alone.
Result<ContainerTenant> ContainerStart::FindTenant(
    const DeviceOwner& owner, const DeviceIds& ids,
    const std::vector<ContainerTenant>& tenants) const {
  if (!owner.tenant_side.empty()) return FindContainerTenant(state_, owner.tenant_side, ids);
  const ContainerTenant* found = nullptr;
  for (const ContainerTenant& tenant : tenants) {
    if (tenant.claim.device_ids != ids) continue;
    const bool is_taken =
        !tenant.claim.container.empty() && tenant.claim.container != owner.container;
    if (is_taken) continue;
    if (found != nullptr)
      return Fail(Errc::kUnavailable,
                  "more than one folder could be the container's, and the kubelet's checkpoint "
                  "cannot be read");
    found = &tenant;
  }
  if (found == nullptr)
    return Fail(Errc::kNotFound, "no folder was made for these devices: delete the pod");
  return *found;
}

Result<void> ContainerStart::Fill(const ContainerTenant& tenant, const ContainerGrant& grant) {
  platform::Limits limits{.tenant = LabelOf(tenant), .cards = {}};
  std::vector<platform::Card> noted;
  const std::vector<CardState> cards = ports_.cards.Cards();
  for (const CardGrant& given : grant.cards) {
    const auto found = std::ranges::find_if(
        cards, [&](const CardState& each) { return each.card.uuid == given.uuid; });
    if (found == cards.end() || !found->is_healthy)
      return Fail(Errc::kUnavailable, given.uuid.ShortText() + " is out of order");
    limits.cards.push_back(LimitOf(given, found->card.total));
    noted.push_back(found->card);
  }
  if (auto filled = FillContainerTenant(tenant, limits, noted); !filled) return filled;
  return ports_.held.Hold(tenant.name, tenant.dir);
}

}  // namespace warpshare::node

#include "node/device_plugin/container_start.h"

#include <algorithm>
#include <optional>
#include <set>

#include "node/tenancy/card_promises.h"
#include "node/tenancy/compute_limit.h"
#include "node/tenancy/presence.h"
#include "types/tenant_name.h"

namespace warpshare::node {

namespace {

using node_ledger::NodeLedger;
using platform::DeviceIds;
using request::Assignment;
using request::CardGrant;
using request::ContainerGrant;

DeviceIds Sorted(DeviceIds ids) {
  std::ranges::sort(ids);
  return ids;
}

std::string NameOf(const request::Request& pod) { return pod.namespace_name + "/" + pod.pod_name; }

// For people: it is printed by what reads limits pages.
std::string LabelOf(const ContainerTenant& tenant) {
  const std::string label =
      (tenant.claim.pod_name + "." + tenant.claim.container).substr(0, TenantName::kMaxLength);
  return ParseTenantName(label) ? label : tenant.name;
}

platform::CardLimit LimitOf(const CardGrant& grant, const platform::Card& card) {
  platform::CardLimit limit{.uuid = grant.uuid, .memory = grant.memory, .capacity = card.total};
  if (grant.whole)
    limit.memory = std::nullopt;
  else
    limit.compute = OnPage(request::TermsOf(grant));
  return limit;
}

// Which assignment the pod's first container started with, if one did.
const ContainerClaim* FindClaim(const std::string& pod_uid,
                                const std::vector<ContainerTenant>& tenants) {
  const auto found = std::ranges::find_if(
      tenants, [&](const ContainerTenant& tenant) { return tenant.claim.pod_uid == pod_uid; });
  return found == tenants.end() ? nullptr : &found->claim;
}

}  // namespace

Result<void> ContainerStart::Prepare(const DeviceIds& unsorted) {
  const DeviceIds ids = Sorted(unsorted);
  const auto owners = ports_.record.OwnersOf(ids);
  if (!owners) return Fail(owners.error());
  const std::scoped_lock deciding(deciding_);
  const auto lock = state_.Lock(ports_.clock);
  if (!lock) return Fail(lock.error());
  for (const DeviceOwner& owner : *owners)
    if (auto prepared = PrepareOwner(owner, ids); !prepared) return prepared;
  SpreadStaticShares(state_);
  return {};
}

Result<void> ContainerStart::PrepareOwner(const DeviceOwner& owner, const DeviceIds& ids) {
  const std::vector<ContainerTenant> tenants = ContainerTenants(state_);
  auto tenant = FindTenant(owner, ids, tenants);
  if (!tenant) return Forward(tenant);
  const auto pod = FindPod(owner);
  const bool ran_before = !owner.pod_uid.empty() && tenant->claim.pod_uid == owner.pod_uid;
  if (!pod && pod.error().code == Errc::kUnavailable && ran_before) return FillAgain(*tenant);
  if (!pod) return Fail(pod.error());
  const std::string& claimed_by = tenant->claim.pod_uid;
  if (!claimed_by.empty() && claimed_by != pod->request.pod_uid)
    return Fail(Errc::kConflict, "the container's folder belongs to pod " + tenant->claim.pod_name +
                                     " (" + claimed_by + "): delete the pod");
  const auto given = FindGiven(*pod, tenants);
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
                   .container = owner.container,
                   .is_own_choice = given->is_own_choice};
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

Result<PodOnNode> ContainerStart::FindPod(const DeviceOwner& owner) const {
  auto pod = owner.pod_uid.empty()
                 ? ports_.source.FindByName(owner.pod->name_space, owner.pod->name)
                 : ports_.source.FindByUid(owner.pod_uid);
  if (!pod) return pod;
  const PodName name{pod->request.namespace_name, pod->request.pod_name};
  if (owner.pod && *owner.pod != name)
    return Fail(Errc::kConflict, "the kubelet says that the devices are of pod " +
                                     owner.pod->name_space + "/" + owner.pod->name +
                                     ", the cluster says " + NameOf(pod->request) +
                                     ": delete the pod");
  return pod;
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

Result<ContainerStart::Given> ContainerStart::FindGiven(
    const PodOnNode& pod, const std::vector<ContainerTenant>& tenants) const {
  const ContainerClaim* claim = FindClaim(pod.request.pod_uid, tenants);
  const bool was_chosen_here = claim != nullptr && claim->is_own_choice;
  if (claim != nullptr && !was_chosen_here && claim->assignment != pod.untrusted_assignment)
    return Fail(Errc::kConflict, "the assignment of pod " + NameOf(pod.request) +
                                     " was changed after its first container started: put back " +
                                     claim->assignment);
  const auto ledger = LedgerOfOthers(pod.request.pod_uid, tenants);
  if (!ledger) return Fail(ledger.error());
  if (pod.untrusted_assignment.empty() && !was_chosen_here) return PlaceHere(pod, *ledger);

  Given given{.assignment = {},
              .text = was_chosen_here ? claim->assignment : pod.untrusted_assignment,
              .is_own_choice = was_chosen_here};
  auto decoded = request::DecodeAssignment(given.text);
  if (!decoded) return Forward(decoded);
  given.assignment = std::move(*decoded);
  if (given.assignment.node != node_name_)
    return Fail(Errc::kConflict, "the assignment is for node " + given.assignment.node +
                                     ", not for " + node_name_ + ": delete the pod");
  auto checked = node_ledger::CheckWithinRequest(pod.request, given.assignment, LedgerCards());
  if (checked) checked = ledger->CheckRoom(pod.request, given.assignment);
  if (!checked) return Forward(checked);
  return given;
}

Result<ContainerStart::Given> ContainerStart::PlaceHere(const PodOnNode& pod,
                                                        const NodeLedger& ledger) const {
  auto placed = ledger.Place(pod.request, node_name_);
  if (!placed) return Forward(placed);
  return Given{.assignment = *placed, .text = request::Encode(*placed), .is_own_choice = true};
}

// Everybody who is bound to the node, and whoever is gone for the cluster while processes of his
// are still there.
Result<NodeLedger> ContainerStart::LedgerOfOthers(
    const std::string& pod_uid, const std::vector<ContainerTenant>& tenants) const {
  const auto pods = ports_.source.Pods();
  if (!pods) return Fail(pods.error());
  NodeLedger ledger(LedgerCards());
  std::set<std::string> counted = {pod_uid};
  for (const PodOnNode& pod : *pods) {
    if (pod.request.pod_uid == pod_uid) continue;
    const ContainerClaim* claim = FindClaim(pod.request.pod_uid, tenants);
    // What it started with counts, whatever was made of the annotation since.
    const auto assignment =
        request::DecodeAssignment(claim != nullptr ? claim->assignment : pod.untrusted_assignment);
    if (assignment) ledger.Add(pod.request, *assignment);
    counted.insert(pod.request.pod_uid);
  }
  for (const ContainerTenant& tenant : tenants) {
    const std::string& uid = tenant.claim.pod_uid;
    if (uid.empty() || counted.contains(uid) || !HasProcesses(tenant.dir)) continue;
    const auto assignment = request::DecodeAssignment(tenant.claim.assignment);
    const ContainerGrant* grant = assignment ? assignment->Find(tenant.claim.container) : nullptr;
    if (grant == nullptr) continue;
    request::Request lone;
    lone.containers.push_back({.name = grant->container});
    ledger.Add(lone, {.node = node_name_, .containers = {*grant}});
  }
  return ledger;
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
    limits.cards.push_back(LimitOf(given, found->card));
    noted.push_back(found->card);
  }
  if (auto filled = FillContainerTenant(tenant, limits, noted); !filled) return filled;
  return ports_.held.Hold(tenant.name, tenant.dir);
}

std::vector<node_ledger::Card> ContainerStart::LedgerCards() const {
  std::vector<node_ledger::Card> cards;
  for (const CardState& each : ports_.cards.Cards())
    cards.push_back({each.card.uuid, each.card.total, each.is_healthy});
  return cards;
}

}  // namespace warpshare::node

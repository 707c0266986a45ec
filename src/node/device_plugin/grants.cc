#include "node/device_plugin/grants.h"

#include <algorithm>
#include <utility>

#include "node/device_plugin/lowered.h"
#include "node/tenancy/compute_limit.h"

namespace warpshare::node {

namespace {

using node_ledger::NodeLedger;
using request::Assignment;
using request::CardGrant;
using request::ContainerGrant;

constexpr uint32_t kAnySlots = INT16_MAX;  // the most that a ledger counts

Result<Given> Decode(const std::string& text) {
  auto assignment = request::DecodeAssignment(text);
  if (!assignment) return Forward(assignment);
  return Given{.assignment = std::move(*assignment), .text = text};
}

bool HaveSameCards(const Assignment& left, const Assignment& right) {
  return std::ranges::equal(left.containers, right.containers,
                            [](const ContainerGrant& one, const ContainerGrant& other) {
                              return one.container == other.container &&
                                     std::ranges::equal(
                                         one.cards, other.cards, [](const auto& a, const auto& b) {
                                           return a.uuid == b.uuid && a.whole == b.whole;
                                         });
                            });
}

}  // namespace

platform::CardLimit LimitOf(const CardGrant& grant, Bytes capacity) {
  platform::CardLimit limit{.uuid = grant.uuid, .memory = grant.memory, .capacity = capacity};
  if (grant.whole)
    limit.memory = std::nullopt;
  else
    limit.compute = OnPage(request::TermsOf(grant));
  return limit;
}

Result<Given> Grants::Find(const PodOnNode& pod, const Tenants& tenants) const {
  if (const ContainerClaim* claim = FindClaim(pod.request.pod_uid, tenants)) {
    if (pod.untrusted_assignment != claim->assignment)
      if (auto changed = FindChanged(pod, tenants)) return changed;
    return Decode(claim->assignment);
  }
  if (pod.bad_wish) return Fail(*pod.bad_wish);
  return pod.untrusted_assignment.empty() ? PlaceHere(pod, tenants) : Admit(pod, tenants);
}

Result<Given> Grants::FindChanged(const PodOnNode& pod, const Tenants& tenants) const {
  const ContainerClaim* claim = FindClaim(pod.request.pod_uid, tenants);
  if (claim == nullptr) return Fail(Errc::kNotFound, "no container of the pod has started");
  const auto had = request::DecodeAssignment(claim->assignment);
  if (!had) return Fail(had.error());
  auto given = Admit(pod, tenants);
  if (given && !HaveSameCards(given->assignment, *had))
    return Fail(Errc::kConflict, "the assignment names other cards than the pod started with");
  return given;
}

Result<Given> Grants::Admit(const PodOnNode& pod, const Tenants& tenants) const {
  auto given = Decode(pod.untrusted_assignment);
  if (!given) return given;
  if (given->assignment.node != node_name_)
    return Fail(Errc::kConflict, "the assignment is for node " + given->assignment.node +
                                     ", not for " + node_name_ + ": delete the pod");
  const place::NodeSpec node = Node();
  const auto ledger = LedgerOfOthers(node, pod.request.pod_uid, tenants);
  if (!ledger) return Fail(ledger.error());
  auto checked = node_ledger::CheckWithinRequest(pod.request, given->assignment, node.cards);
  if (checked) checked = CheckNotTaken(given->assignment);
  if (checked) checked = ledger->CheckRoom(pod.request, given->assignment);
  if (!checked) return Forward(checked);
  return given;
}

// The ledger would say as much, but not why.
Result<void> Grants::CheckNotTaken(const Assignment& assignment) const {
  for (const ContainerGrant& container : assignment.containers)
    for (const CardGrant& card : container.cards)
      if (std::string who = ports_.taken.WhoHas(card.uuid); !who.empty())
        return Fail(Errc::kUnavailable, std::move(who));
  return {};
}

Result<Given> Grants::PlaceHere(const PodOnNode& pod, const Tenants& tenants) const {
  const auto ledger = LedgerOfOthers(Node(), pod.request.pod_uid, tenants);
  if (!ledger) return Fail(ledger.error());
  auto placed = ledger->Place(pod.request);
  if (!placed) return Forward(placed);
  return Given{.assignment = *placed, .text = request::Encode(*placed)};
}

Result<NodeLedger> Grants::LedgerOfOthers(const place::NodeSpec& node, const std::string& pod_uid,
                                          const Tenants& tenants) const {
  const auto pods = ports_.source.Pods();
  if (!pods) return Fail(pods.error());
  NodeLedger ledger(node);
  for (Holder& holder : HoldersOf(*pods, tenants)) {
    if (holder.pod_uid == pod_uid) continue;
    CountUseAbove(holder.pod_uid, tenants, holder.assignment);
    ledger.Add(holder.key, holder.request, holder.assignment);
  }
  if (const auto taken = ports_.taken.AsHolder())
    ledger.Add(taken->key, taken->request, taken->assignment);
  return ledger;
}

// How many containers a card takes, the kubelet counts.
place::NodeSpec Grants::Node() const {
  place::NodeSpec node{.name = node_name_};
  for (const CardState& each : ports_.cards.Cards()) node.cards.push_back(SpecOf(each, kAnySlots));
  return node;
}

}  // namespace warpshare::node

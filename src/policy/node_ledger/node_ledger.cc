#include "policy/node_ledger/node_ledger.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace warpshare::node_ledger {

namespace {

using request::Assignment;
using request::CardGrant;
using request::ContainerGrant;
using request::ContainerKind;
using request::ContainerRequest;
using request::Request;

Part Sum(const Part& left, const Part& right) {
  return {.memory = Bytes(left.memory.count() + right.memory.count()),
          .cores_percent = left.cores_percent + right.cores_percent,
          .whole = left.whole || right.whole,
          .tenants = left.tenants + right.tenants};
}

Part Most(const Part& left, const Part& right) {
  return {.memory = std::max(left.memory, right.memory),
          .cores_percent = std::max(left.cores_percent, right.cores_percent),
          .whole = left.whole || right.whole,
          .tenants = std::max(left.tenants, right.tenants)};
}

Part PartOn(const GpuUuid& card, const ContainerGrant* grant) {
  if (grant == nullptr) return {};
  const auto found = std::ranges::find(grant->cards, card, &CardGrant::uuid);
  if (found == grant->cards.end()) return {};
  return {.memory = found->memory,
          .cores_percent = found->whole ? request::kWholeCardCores : found->cores_percent,
          .whole = found->whole,
          .tenants = 1};
}

const ContainerRequest* FindContainer(const Request& pod, std::string_view name) {
  const auto found = std::ranges::find(pod.containers, name, &ContainerRequest::name);
  return found == pod.containers.end() ? nullptr : &*found;
}

Failure Beyond(const std::string& container, const std::string& what) {
  return Fail(Errc::kConflict, "the assignment gives container '" + container + "' " + what +
                                   " than its spec asks for: delete the pod, so that it is placed "
                                   "again");
}

Result<void> CheckCard(const ContainerRequest& asked, const CardGrant& given,
                       const std::vector<Card>& cards) {
  const auto card = std::ranges::find(cards, given.uuid, &Card::uuid);
  if (card == cards.end())
    return Fail(Errc::kNotFound, "the assignment names " + given.uuid.Text() +
                                     ", which is no card of this node: delete the pod");
  const Bytes memory = asked.whole ? card->total : asked.memory.On(card->total);
  if (given.memory > memory) return Beyond(asked.name, "more memory");
  if (given.whole && !asked.whole) return Beyond(asked.name, "more");
  if (given.cores_percent > (asked.whole ? request::kWholeCardCores : asked.cores_percent))
    return Beyond(asked.name, "more GPU time");
  if (!given.whole && given.compute != asked.compute)
    return Beyond(asked.name, "another compute mode");
  return {};
}

bool IsAvoided(const request::CardWishes& wishes, const GpuUuid& uuid) {
  const auto has = [&](const std::vector<GpuUuid>& uuids) {
    return std::ranges::find(uuids, uuid) != uuids.end();
  };
  return has(wishes.avoid_uuids) || (!wishes.use_uuids.empty() && !has(wishes.use_uuids));
}

}  // namespace

Part PeakOn(const GpuUuid& card, const Request& pod, const Assignment& assignment) {
  Part staying;  // sidecars so far, then all ordinary ones
  Part peak;
  for (const ContainerRequest& container : pod.containers) {
    const Part part = PartOn(card, assignment.Find(container.name));
    if (container.kind == ContainerKind::kInit)
      peak = Most(peak, Sum(staying, part));
    else
      staying = Sum(staying, part);
  }
  return Most(peak, staying);
}

Result<void> CheckWithinRequest(const Request& pod, const Assignment& assignment,
                                const std::vector<Card>& cards) {
  for (const ContainerRequest& asked : pod.containers) {
    const ContainerGrant* given = assignment.Find(asked.name);
    const size_t count = given == nullptr ? 0 : given->cards.size();
    if (count < asked.cards) return Beyond(asked.name, "fewer cards");
    if (count > asked.cards) return Beyond(asked.name, "more cards");
    if (given == nullptr) continue;
    for (const CardGrant& card : given->cards)
      if (auto checked = CheckCard(asked, card, cards); !checked) return checked;
  }
  for (const ContainerGrant& given : assignment.containers)
    if (FindContainer(pod, given.container) == nullptr)
      return Fail(Errc::kConflict, "the assignment names container '" + given.container +
                                       "', which the pod does not have: delete the pod");
  return {};
}

NodeLedger::NodeLedger(const std::vector<Card>& cards) {
  for (const Card& card : cards) accounts_.push_back({card, {}});
}

void NodeLedger::Add(const Request& pod, const Assignment& assignment) {
  for (Account& account : accounts_)
    account.taken = Sum(account.taken, PeakOn(account.card.uuid, pod, assignment));
}

Result<void> NodeLedger::CheckRoomOn(const Account& account, const Part& more) const {
  if (more.tenants == 0) return {};
  const auto full = [&](const std::string& of_what) {
    return Fail(Errc::kUnavailable,
                account.card.uuid.ShortText() + " has not enough left: " + of_what);
  };
  if (account.taken.whole || (more.whole && account.taken.tenants > 0))
    return full("another has it, or it is wanted alone");
  const Part all = Sum(account.taken, more);
  if (all.memory > account.card.total)
    return full("memory " + Exact(more.memory) + " beside " + Exact(account.taken.memory) + " of " +
                Exact(account.card.total));
  if (all.cores_percent > request::kWholeCardCores)
    return full("GPU time " + std::to_string(more.cores_percent) + "% beside " +
                std::to_string(account.taken.cores_percent) + "%");
  return {};
}

Result<void> NodeLedger::CheckRoom(const Request& pod, const Assignment& assignment) const {
  for (const Account& account : accounts_)
    if (auto room = CheckRoomOn(account, PeakOn(account.card.uuid, pod, assignment)); !room)
      return room;
  return {};
}

Result<ContainerGrant> NodeLedger::PlaceContainer(const Request& pod,
                                                  const ContainerRequest& container,
                                                  const Assignment& so_far) const {
  std::vector<const Account*> order;
  for (const Account& account : accounts_)
    if (account.card.is_healthy && !IsAvoided(pod.wishes, account.card.uuid))
      order.push_back(&account);
  // Equal ones in an order of their own, so that the answer does not depend on who lists them.
  std::ranges::sort(order, [](const Account* left, const Account* right) {
    return std::tie(right->taken.memory, left->card.uuid) <
           std::tie(left->taken.memory, right->card.uuid);
  });
  ContainerGrant grant{.container = container.name, .cards = {}};
  std::optional<Error> why;
  for (const Account* account : order) {
    if (grant.cards.size() == container.cards) break;
    const Bytes total = account->card.total;
    grant.cards.push_back({.uuid = account->card.uuid,
                           .memory = container.whole ? total : container.memory.On(total),
                           .cores_percent = container.cores_percent,
                           .whole = container.whole,
                           .compute = container.compute});
    Assignment tried = so_far;
    tried.containers.push_back(grant);
    const auto room = CheckRoomOn(*account, PeakOn(account->card.uuid, pod, tried));
    if (room) continue;
    grant.cards.pop_back();
    why = room.error();
  }
  if (grant.cards.size() == container.cards) return grant;
  return Fail(Errc::kUnavailable,
              "no scheduler placed the pod, and the node has no room for container '" +
                  container.name + "': " + (why ? why->message : "no card that it may use"));
}

Result<Assignment> NodeLedger::Place(const Request& pod, std::string_view node) const {
  if (!pod.wishes.use_models.empty() || !pod.wishes.avoid_models.empty())
    return Fail(Errc::kInvalid,
                "the pod asks for models of cards, which only the scheduler knows: leave nodeName "
                "out");
  Assignment assignment{.node = std::string(node), .containers = {}};
  for (const ContainerRequest& container : pod.containers) {
    if (container.cards == 0) continue;
    auto grant = PlaceContainer(pod, container, assignment);
    if (!grant) return Forward(grant);
    assignment.containers.push_back(std::move(*grant));
  }
  return assignment;
}

}  // namespace warpshare::node_ledger

#include "policy/node_ledger/node_ledger.h"

#include <algorithm>

#include "policy/place/filter.h"
#include "policy/place/placement.h"

namespace warpshare::node_ledger {

namespace {

using request::Assignment;
using request::CardGrant;
using request::ContainerGrant;
using request::ContainerRequest;
using request::Policy;
using request::Request;

Failure Beyond(const std::string& container, const std::string& what) {
  return Fail(Errc::kConflict, "the assignment gives container '" + container + "' " + what +
                                   " than its spec asks for: delete the pod, so that it is placed "
                                   "again");
}

Result<void> CheckCard(const ContainerRequest& asked, const CardGrant& given,
                       const std::vector<place::CardSpec>& cards) {
  const auto card = std::ranges::find(cards, given.uuid, &place::CardSpec::uuid);
  if (card == cards.end())
    return Fail(Errc::kNotFound, "the assignment names " + given.uuid.Text() +
                                     ", which is no card of this node: delete the pod");
  const Bytes memory = asked.whole ? card->memory : asked.memory.On(card->memory);
  if (given.memory > memory) return Beyond(asked.name, "more memory");
  if (given.whole && !asked.whole) return Beyond(asked.name, "more");
  if (given.cores_percent > (asked.whole ? request::kWholeCardCores : asked.cores_percent))
    return Beyond(asked.name, "more GPU time");
  if (!given.whole && given.compute != asked.compute)
    return Beyond(asked.name, "another compute mode");
  return {};
}

// What of the card is missing for the hold; empty: nothing is.
std::string Missing(const place::Card& card, const place::CardHold& hold) {
  if (hold.slots > card.slots_free) return "it takes no more containers";
  const auto total = static_cast<int64_t>(card.memory_total);
  const auto exact = [](int64_t bytes) {
    return Exact(Bytes(static_cast<uint64_t>(std::max<int64_t>(bytes, 0))));
  };
  if (hold.memory > card.memory_free)
    return "memory " + exact(hold.memory) + " beside " + exact(total - card.memory_free) + " of " +
           exact(total);
  if (!place::CoresFit(card, {.cores = hold.cores}))
    return "GPU time " + std::to_string(hold.cores) + "% beside " +
           std::to_string(static_cast<int>(place::kWholeCores) - card.cores_free) + "%" +
           (card.unpromised > 0 ? " and others without a part of their own" : "");
  return {};
}

}  // namespace

Result<void> CheckWithinRequest(const Request& pod, const Assignment& assignment,
                                const std::vector<place::CardSpec>& cards) {
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
    if (std::ranges::find(pod.containers, given.container, &ContainerRequest::name) ==
        pod.containers.end())
      return Fail(Errc::kConflict, "the assignment names container '" + given.container +
                                       "', which the pod does not have: delete the pod");
  return {};
}

NodeLedger::NodeLedger(const place::NodeSpec& node) : node_(node.name) { ledger_.SetNode(node); }

place::PodHold NodeLedger::HoldHere(const Request& pod, const Assignment& assignment) const {
  place::PodHold hold = place::HoldOf(pod, assignment);
  hold.node = node_;
  return hold;
}

void NodeLedger::Add(const std::string& pod_uid, const Request& pod, const Assignment& assignment) {
  ledger_.Adopt(pod_uid, HoldHere(pod, assignment));
}

Result<void> NodeLedger::CheckRoom(const Request& pod, const Assignment& assignment) const {
  for (const place::HeldCard& held : HoldHere(pod, assignment).cards) {
    const auto id = ledger_.FindCard(held.uuid);
    if (!id) continue;
    if (const std::string missing = Missing(ledger_.card(*id), held.hold); !missing.empty())
      return Fail(Errc::kUnavailable, held.uuid.ShortText() + " has not enough left: " + missing);
  }
  return {};
}

Result<Assignment> NodeLedger::Place(const Request& pod) const {
  place::Shape shape = place::MakeShape(pod, ledger_);
  // What the other pods of the cluster will want, which `fit` looks at, is not known here.
  if (shape.card_policy == Policy::kFit) shape.card_policy = Policy::kBinpack;
  const place::NodeId node = *ledger_.FindNode(node_);
  const place::Outlook outlook;
  place::Placement placement;
  if (place::Placer(ledger_, outlook, shape).Place(node, placement))
    return place::AssignmentOf(pod, ledger_, node, placement);
  std::vector<place::Verdict> verdicts;
  place::Filter(ledger_, shape, {&node, 1}, place::HostCheck::kSkip, verdicts);
  return Fail(Errc::kUnavailable, "no scheduler placed the pod, and the node has no room for it: " +
                                      std::string(ReasonSentence(verdicts.front().reason)));
}

}  // namespace warpshare::node_ledger

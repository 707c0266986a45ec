#include "policy/place/grant.h"

#include <algorithm>
#include <utility>

#include "policy/place/peak.h"

namespace warpshare::place {

namespace {

CardHold HoldOfGrant(const request::CardGrant& grant) {
  const bool unpromised = grant.cores_percent == 0;
  return {.memory = static_cast<int64_t>(std::min<uint64_t>(grant.memory.count(), INT64_MAX / 64)),
          .cores = static_cast<int16_t>(grant.cores_percent),
          .slots = 1,
          .unpromised = static_cast<uint16_t>(unpromised ? 1 : 0)};
}

const HeldCard* FindCard(const PodHold& hold, const GpuUuid& uuid) {
  const auto found = std::find_if(hold.cards.begin(), hold.cards.end(),
                                  [&](const HeldCard& held) { return held.uuid == uuid; });
  return found == hold.cards.end() ? nullptr : &*found;
}

bool Renew(request::CardGrant& grant, const request::ContainerRequest& asked,
           const Ledger& ledger) {
  if (grant.whole != asked.whole) return false;
  if (grant.whole) return true;
  const auto card = ledger.FindCard(grant.uuid);
  if (!card) return false;
  grant.memory = asked.memory.On(Bytes(ledger.card(*card).memory_total));
  grant.cores_percent = asked.cores_percent;
  grant.compute = asked.compute;
  return true;
}

std::string Amounts(int64_t memory, int64_t cores) {
  return Exact(Bytes(static_cast<uint64_t>(std::max<int64_t>(memory, 0)))) + " and " +
         std::to_string(std::max<int64_t>(cores, 0)) + "% of its time";
}

}  // namespace

request::Assignment AssignmentOf(const request::Request& request, const Ledger& ledger, NodeId node,
                                 const Placement& placement) {
  request::Assignment assignment{.node = ledger.node_name(node)};
  for (uint32_t i = 0; i < request.containers.size(); ++i) {
    const request::ContainerRequest& container = request.containers[i];
    request::ContainerGrant grant{.container = container.name};
    for (const ChosenCard& chosen : placement.cards) {
      if (chosen.container != i) continue;
      grant.cards.push_back({.uuid = ledger.detail(chosen.card).uuid,
                             .memory = Bytes(static_cast<uint64_t>(chosen.need.memory)),
                             .cores_percent = static_cast<uint32_t>(chosen.need.cores),
                             .whole = chosen.need.whole,
                             .compute = container.compute});
    }
    if (!grant.cards.empty()) assignment.containers.push_back(std::move(grant));
  }
  return assignment;
}

PodHold HoldOf(const request::Request& request, const Ledger& ledger, NodeId node,
               const Placement& placement) {
  PodHold hold{.node = ledger.node_name(node), .host = request.host, .priority = request.priority};
  for (const ChosenHold& chosen : placement.holds)
    hold.cards.push_back({.uuid = ledger.detail(chosen.card).uuid, .hold = chosen.hold});
  return hold;
}

std::optional<request::Assignment> Renewed(const request::Request& request,
                                           const request::Assignment& assignment,
                                           const Ledger& ledger) {
  request::Assignment renewed = assignment;
  for (request::ContainerGrant& grant : renewed.containers) {
    const auto asked = std::find_if(
        request.containers.begin(), request.containers.end(),
        [&](const request::ContainerRequest& each) { return each.name == grant.container; });
    if (asked == request.containers.end() || asked->cards != grant.cards.size())
      return std::nullopt;
    for (request::CardGrant& card : grant.cards)
      if (!Renew(card, *asked, ledger)) return std::nullopt;
  }
  return renewed;
}

PodHold EnoughForBoth(const PodHold& left, const PodHold& right) {
  PodHold both = left;
  for (HeldCard& held : both.cards)
    if (const HeldCard* other = FindCard(right, held.uuid)) RaiseTo(held.hold, other->hold);
  return both;
}

std::string WhatIsMissing(const Ledger& ledger, const PodHold& from, const PodHold& to) {
  for (const HeldCard& wanted : to.cards) {
    const HeldCard* has = FindCard(from, wanted.uuid);
    const auto id = ledger.FindCard(wanted.uuid);
    if (has == nullptr || !id) continue;
    const Card& card = ledger.card(*id);
    if (!card.healthy) return wanted.uuid.ShortText() + " is out of order";
    const int64_t memory = wanted.hold.memory - has->hold.memory;
    const int64_t cores = wanted.hold.cores - has->hold.cores;
    if (memory > card.memory_free || cores > card.cores_free - (card.unpromised > 0 ? 1 : 0))
      return wanted.uuid.ShortText() + " has " + Amounts(card.memory_free, card.cores_free) +
             " left, and the pod asks for " + Amounts(memory, cores) + " more";
  }
  return "the node has no room for it";
}

PodHold HoldOf(const request::Request& request, const request::Assignment& assignment) {
  PodPeak peak;
  for (const request::ContainerRequest& container : request.containers) {
    const request::ContainerGrant* grant = assignment.Find(container.name);
    if (grant == nullptr) continue;
    peak.Begin(container.kind);
    for (const request::CardGrant& card : grant->cards) peak.Add(card.uuid, HoldOfGrant(card));
  }
  return {.node = assignment.node,
          .cards = peak.Cards(),
          .host = request.host,
          .priority = request.priority};
}

}  // namespace warpshare::place

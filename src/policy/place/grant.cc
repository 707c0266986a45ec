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
  PodHold hold{.node = ledger.node_name(node), .host = request.host};
  for (const ChosenHold& chosen : placement.holds)
    hold.cards.push_back({.uuid = ledger.detail(chosen.card).uuid, .hold = chosen.hold});
  return hold;
}

PodHold HoldOf(const request::Request& request, const request::Assignment& assignment) {
  PodPeak peak;
  for (const request::ContainerRequest& container : request.containers) {
    const request::ContainerGrant* grant = assignment.Find(container.name);
    if (grant == nullptr) continue;
    peak.Begin(container.kind);
    for (const request::CardGrant& card : grant->cards) peak.Add(card.uuid, HoldOfGrant(card));
  }
  return {.node = assignment.node, .cards = peak.Cards(), .host = request.host};
}

}  // namespace warpshare::place

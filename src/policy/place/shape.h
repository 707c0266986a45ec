// A request made ready for the hot loops: names are numbers, and what a container needs is worked
// out for each kind of card. Good until the ledger learns of a new kind or model; Fresh() says so.
#pragma once

#include <cstdint>
#include <vector>

#include "policy/place/ledger.h"
#include "policy/request/request.h"

namespace warpshare::place {

struct ContainerShape {
  uint32_t container = 0;  // its place in the request
  request::ContainerKind kind = request::ContainerKind::kOrdinary;
  uint32_t cards = 1;
  std::vector<CardNeed> need_by_kind = {};

  bool operator==(const ContainerShape&) const = default;
};

struct Shape {
  std::vector<ContainerShape> containers = {};  // those that want cards, in the pod's order
  std::vector<uint8_t> allowed_by_model = {};   // 1: the pod may have it
  bool any_model = true;
  std::vector<GpuUuid> use_uuids = {};  // sorted
  std::vector<GpuUuid> avoid_uuids = {};
  request::Policy node_policy = request::Policy::kFit;
  request::Policy card_policy = request::Policy::kFit;
  bool one_numa_node = false;
  uint32_t most_cards = 0;  // of any one container
  request::HostNeed host = {};

  bool operator==(const Shape&) const = default;
  bool names_cards() const { return !use_uuids.empty() || !avoid_uuids.empty(); }
};

Shape MakeShape(const request::Request& request, const Ledger& ledger);

// Does it cover every kind and model of the ledger?
bool IsFresh(const Shape& shape, const Ledger& ledger);

bool AllowsUuid(const Shape& shape, const GpuUuid& uuid);

// May the pod have this card, whatever is free on it?
inline bool Allows(const Shape& shape, const Card& card, const CardDetail& detail) {
  if (shape.allowed_by_model[card.model] == 0) return false;
  return !shape.names_cards() || AllowsUuid(shape, detail.uuid);
}

}  // namespace warpshare::place

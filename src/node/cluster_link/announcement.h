// What a node says of itself to the cluster.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "node/device_plugin/card_view.h"

namespace warpshare::node {

// As the kubelet counts specs against it: at its start it admits all pods of the node again, also
// those that run, and fails for good what goes beyond it.
struct NodeCapacity {
  int64_t memory_mib = 0;
  int64_t core_percent = 0;  // a card is 100

  bool operator==(const NodeCapacity&) const = default;
};

struct Announcement {
  std::string cards;                     // the annotation's text
  std::string lingering;                 // that one's; empty: not known yet
  std::string taken;                     // the same
  std::optional<NodeCapacity> capacity;  // none: not known yet

  bool operator==(const Announcement&) const = default;
};

// The capacity is that of all cards, well or not: pods that have a part of an ill one still count.
// That nobody new is given any of it, the annotation says.
Announcement AnnouncementOf(const std::vector<CardState>& cards, uint32_t split);

}  // namespace warpshare::node

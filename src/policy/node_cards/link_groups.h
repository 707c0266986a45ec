// Which cards of a node reach each other by NVLink, directly or past others.
#pragma once

#include <cstdint>
#include <vector>

#include "types/gpu_uuid.h"

namespace warpshare::node_cards {

struct LinkedCard {
  GpuUuid uuid;
  std::vector<GpuUuid> peers = {};
  bool is_at_switch = false;  // the switches of a node are joined
};

// Beside the cards, and numbered from 1 in their order; 0: of a card that reaches no other.
std::vector<uint16_t> LinkGroups(const std::vector<LinkedCard>& cards);

}  // namespace warpshare::node_cards

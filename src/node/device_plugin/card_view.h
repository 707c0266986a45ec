// The cards of the node and which of them are well, now.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/nvml/nvml.h"
#include "policy/place/node_spec.h"

namespace warpshare::node {

struct CardState {
  platform::Card card;
  bool is_healthy;
  std::optional<Bytes> used = {};  // by everybody, seconds ago; none: it has not answered
};

// As placement wants it, with room for so many containers.
inline place::CardSpec SpecOf(const CardState& state, uint32_t slots) {
  const platform::Card& card = state.card;
  return {.uuid = card.uuid,
          .model = card.name,
          .memory = card.total,
          .slots = slots,
          .healthy = state.is_healthy,
          .numa_node = card.numa_node ? static_cast<int16_t>(*card.numa_node) : int16_t{-1},
          .link_group = card.link_group};
}

// From any thread.
class CardView {
 public:
  virtual ~CardView() = default;
  virtual std::vector<CardState> Cards() const = 0;
};

}  // namespace warpshare::node

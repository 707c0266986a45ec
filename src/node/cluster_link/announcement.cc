#include "node/cluster_link/announcement.h"

#include "policy/node_cards/node_cards.h"

namespace warpshare::node {

namespace {

constexpr int64_t kMiB = 1 << 20;
constexpr int64_t kWholeCard = 100;  // percent

}  // namespace

Announcement AnnouncementOf(const std::vector<CardState>& cards, uint32_t split) {
  NodeCapacity capacity;
  std::vector<place::CardSpec> specs;
  for (const CardState& state : cards) {
    specs.push_back(SpecOf(state, split));
    capacity.memory_mib += static_cast<int64_t>(state.card.total.count()) / kMiB;
    capacity.core_percent += kWholeCard;
  }
  return {.cards = node_cards::Encode(specs), .lingering = {}, .taken = {}, .capacity = capacity};
}

}  // namespace warpshare::node

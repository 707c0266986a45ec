#include "policy/node_cards/link_groups.h"

#include <algorithm>
#include <numeric>

namespace warpshare::node_cards {

namespace {

bool AreJoined(const LinkedCard& one, const LinkedCard& other) {
  if (one.is_at_switch && other.is_at_switch) return true;
  const auto names = [](const LinkedCard& card, const GpuUuid& uuid) {
    return std::ranges::find(card.peers, uuid) != card.peers.end();
  };
  return names(one, other.uuid) || names(other, one.uuid);
}

}  // namespace

std::vector<uint16_t> LinkGroups(const std::vector<LinkedCard>& cards) {
  std::vector<size_t> set(cards.size());  // of each card, the first card of all it is joined to
  std::iota(set.begin(), set.end(), size_t{0});
  for (size_t i = 0; i < cards.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      if (!AreJoined(cards[i], cards[j])) continue;
      const auto [first, other] = std::minmax({set[i], set[j]});
      std::ranges::replace(set, other, first);
    }
  std::vector<uint16_t> groups(cards.size(), 0);
  uint16_t last = 0;
  for (size_t i = 0; i < cards.size(); ++i) {
    if (set[i] != i)
      groups[i] = groups[set[i]];
    else if (std::ranges::count(set, i) > 1)
      groups[i] = ++last;
  }
  return groups;
}

}  // namespace warpshare::node_cards

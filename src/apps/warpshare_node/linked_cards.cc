#include "apps/warpshare_node/linked_cards.h"

#include <algorithm>

#include "platform/log_file/log_words.h"
#include "platform/nvml/card_links.h"
#include "policy/node_cards/link_groups.h"

namespace warpshare::app {

void FindLinks(const std::string& driver_folder, std::vector<platform::Card>& cards,
               platform::Log& log) {
  const auto links = platform::ListLinks(driver_folder, cards);
  if (!links) return log.Line(platform::LogText("links not known", {{"reason", links.error()}}));
  std::vector<node_cards::LinkedCard> linked;
  for (const platform::Card& card : cards) {
    auto& each = linked.emplace_back(node_cards::LinkedCard{.uuid = card.uuid});
    const auto found = std::ranges::find(*links, card.uuid, &platform::CardLinks::card);
    if (found == links->end()) continue;
    each.peers = found->peers;
    each.is_at_switch = found->is_at_switch;
  }
  const std::vector<uint16_t> groups = node_cards::LinkGroups(linked);
  for (size_t i = 0; i < groups.size(); ++i) cards[i].link_group = groups[i];
}

}  // namespace warpshare::app

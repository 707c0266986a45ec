#include "node/local/card_claims.h"

#include <algorithm>

namespace warpshare::node {

std::vector<std::string> CardClaims::Fit(const std::vector<GpuUuid>& cards) {
  std::vector<std::string> news;
  std::erase_if(claims_, [&](const auto& each) {
    return std::ranges::find(cards, each.first) == cards.end();
  });
  for (const GpuUuid& card : cards) FitOne(card, claims_[card], news);
  return news;
}

// A name that cannot be had for another reason is let be: nothing depends on it.
void CardClaims::FitOne(const GpuUuid& card, Claim& claim, std::vector<std::string>& news) {
  if (claim.name) {
    claim.name->TidyUp();
    return;
  }
  const std::string name = names_ + card.Text();
  auto taken = platform::NameClaim::Take(name);
  if (!taken) return;
  claim.name = std::move(*taken);
  const bool is_others = !claim.name.has_value();
  if (is_others == claim.is_told) return;
  claim.is_told = is_others;
  if (!is_others) {
    news.push_back(card.ShortText() + " has no other arbiter any more");
    return;
  }
  const auto holder = platform::FindNameHolder(name);
  news.push_back(card.ShortText() + " has another arbiter" +
                 (holder ? ", of user " + std::to_string(holder->user) : "") +
                 ": each holds its own tenants to their shares, and the two take from each other");
}

}  // namespace warpshare::node

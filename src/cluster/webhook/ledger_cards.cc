#include "cluster/webhook/ledger_cards.h"

#include <set>
#include <utility>
#include <vector>

namespace warpshare::webhook {

namespace {

constexpr std::chrono::seconds kPause{1};

// Model and memory of each card, as numbers of the ledger's.
using NodeKind = std::vector<std::pair<uint16_t, uint16_t>>;

std::set<NodeKind> KindsOf(const place::Ledger& ledger) {
  std::set<NodeKind> kinds;
  NodeKind kind;
  for (place::NodeId id = 0; id < ledger.node_ids(); ++id) {
    if (!ledger.node(id).present || ledger.node(id).card_count == 0) continue;
    kind.clear();
    for (const place::Card& card : ledger.cards_of(id)) kind.emplace_back(card.model, card.kind);
    kinds.insert(kind);
  }
  return kinds;
}

}  // namespace

const admit::Inventory& LedgerCards::Inventory() const {
  const auto now = clock_.Now();
  if (looked_at_ && now < *looked_at_ + kPause) return inventory_;
  looked_at_ = now;
  inventory_.clear();
  const place::Ledger& ledger = view_.ledger();
  for (const NodeKind& kind : KindsOf(ledger)) {
    auto& node = inventory_.emplace_back();
    for (const auto& [model, memory] : kind)
      node.push_back(
          {.model = ledger.models().Name(model), .memory = Bytes(ledger.kinds().MemoryOf(memory))});
  }
  return inventory_;
}

}  // namespace warpshare::webhook

#include "cluster/report/stock.h"

#include <algorithm>
#include <utility>

#include "cluster/inventory/taken.h"

namespace warpshare::report {

namespace {

uint64_t Positive(int64_t amount) { return amount < 0 ? 0 : static_cast<uint64_t>(amount); }

Sums SumsOf(const place::Card& card) {
  return {.cards = 1,
          .unhealthy = card.healthy ? 0u : 1u,
          .memory = Bytes(card.memory_total),
          .memory_allocated =
              Bytes(Positive(static_cast<int64_t>(card.memory_total) - card.memory_free)),
          .cores = place::kWholeCores,
          .cores_allocated = Positive(int64_t{place::kWholeCores} - card.cores_free),
          .tenants = card.tenants};
}

void AddTenants(const PodFacts& pod, NodeStock& node) {
  for (const request::ContainerGrant& container : pod.assignment->containers) {
    for (const request::CardGrant& grant : container.cards) {
      const auto card = std::ranges::find_if(
          node.cards, [&](const CardStock& stock) { return stock.spec->uuid == grant.uuid; });
      if (card != node.cards.end())
        card->tenants.push_back({.pod = &pod, .container = &container, .grant = &grant});
    }
  }
}

void AddPod(const PodFacts& pod, NodeStock& node) {
  if (pod.is_plain) {
    node.plain.push_back(&pod);
    node.plain_taken += pod.plain_cards;
  } else if (pod.problem.empty() && pod.assignment) {
    AddTenants(pod, node);
  } else if (!pod.problem.empty()) {
    node.broken.push_back(&pod);
  }
}

void MarkTaken(const place::Ledger& ledger, NodeStock& node) {
  const auto* taken = ledger.FindHold(cluster::Taken::HolderOf(node.facts->name()));
  if (taken == nullptr) return;
  for (CardStock& card : node.cards)
    card.is_taken = std::ranges::find(taken->cards, card.spec->uuid, &place::HeldCard::uuid) !=
                    taken->cards.end();
}

NodeStock StockOf(const Survey& survey, const NodeFacts& facts) {
  NodeStock node{.facts = &facts};
  const auto id = survey.ledger().FindNode(facts.name());
  const auto cards = id ? survey.ledger().cards_of(*id) : std::span<const place::Card>();
  for (uint32_t i = 0; i < std::min(cards.size(), facts.cards.size()); ++i) {
    node.cards.push_back({.index = i, .spec = &facts.cards[i], .sums = SumsOf(cards[i])});
    node.sums.Add(node.cards.back().sums);
  }
  MarkTaken(survey.ledger(), node);
  for (const PodFacts* pod : survey.PodsOn(facts.name())) AddPod(*pod, node);
  return node;
}

bool IsShown(const NodeStock& node) {
  return !node.cards.empty() || !node.plain.empty() || !node.broken.empty() ||
         node.facts->plain_cards != 0 || !node.facts->problem.empty();
}

}  // namespace

void Sums::Add(const Sums& more) {
  cards += more.cards;
  unhealthy += more.unhealthy;
  memory = Bytes(memory.count() + more.memory.count());
  memory_allocated = Bytes(memory_allocated.count() + more.memory_allocated.count());
  cores += more.cores;
  cores_allocated += more.cores_allocated;
  tenants += more.tenants;
}

Stock TakeStock(const Survey& survey) {
  Stock stock;
  for (const NodeFacts& facts : survey.nodes()) {
    NodeStock node = StockOf(survey, facts);
    if (!IsShown(node)) {
      ++stock.nodes_without_cards;
      continue;
    }
    stock.sums.Add(node.sums);
    stock.plain_cards += facts.plain_cards;
    stock.plain_taken += node.plain_taken;
    stock.nodes.push_back(std::move(node));
  }
  std::ranges::sort(stock.nodes, {},
                    [](const NodeStock& node) -> const std::string& { return node.facts->name(); });
  for (const PodFacts& pod : survey.pods())
    if (pod.node.empty()) stock.waiting.push_back(&pod);
  return stock;
}

}  // namespace warpshare::report

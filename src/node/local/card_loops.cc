#include "node/local/card_loops.h"

namespace warpshare::node {

SeatId CardLoops::Add(const GpuUuid& card, const TenantPages& pages) {
  const SeatId seat = {.card = card, .id = next_id_++};
  Card& at = cards_.try_emplace(card, clock_, futex_).first->second;
  at.loop.Add(seat.id, pages);
  ++at.seats;
  return seat;
}

void CardLoops::Remove(const SeatId& seat) {
  const auto at = cards_.find(seat.card);
  at->second.loop.Remove(seat.id);
  if (--at->second.seats == 0) cards_.erase(at);
}

std::vector<GpuUuid> CardLoops::InUse() const {
  std::vector<GpuUuid> cards;
  for (const auto& [uuid, card] : cards_) cards.push_back(uuid);
  return cards;
}

std::map<GpuUuid, uint64_t> CardLoops::HandoversNs() const {
  std::map<GpuUuid, uint64_t> handovers;
  for (const auto& [uuid, card] : cards_)
    if (const uint64_t ns = card.loop.handover_ns(); ns != 0) handovers.emplace(uuid, ns);
  return handovers;
}

void CardLoops::LookNow() {
  for (auto& [uuid, card] : cards_) card.loop.LookNow();
}

std::map<SeatId, std::string> CardLoops::Problems() const {
  std::map<SeatId, std::string> problems;
  for (const auto& [uuid, card] : cards_)
    for (CardArbiter::Problem& problem : card.loop.Problems())
      problems.emplace(SeatId{.card = uuid, .id = problem.tenant}, std::move(problem.text));
  return problems;
}

}  // namespace warpshare::node

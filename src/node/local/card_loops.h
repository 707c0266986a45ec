// The arbiters' threads, one for each card that anybody shares.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "node/arbiter/card_loop.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

// A tenant's place at a card.
struct SeatId {
  GpuUuid card;
  share::TenantId id;

  auto operator<=>(const SeatId&) const = default;
};

class CardLoops {
 public:
  CardLoops(const platform::Clock& clock, platform::Futex& futex) : clock_(clock), futex_(futex) {}

  SeatId Add(const GpuUuid& card, const TenantPages& pages);
  void Remove(const SeatId& seat);  // its pages are not touched after this

  std::vector<GpuUuid> InUse() const;  // those with seats

  // What they lose when they go from one tenant to another, of those for which it is known.
  std::map<GpuUuid, uint64_t> HandoversNs() const;

  // Terms changed.
  void LookNow();

  // What is wrong with the pages of whom, by now; at most one text a seat.
  std::map<SeatId, std::string> Problems() const;

 private:
  struct Card {
    Card(const platform::Clock& clock, platform::Futex& futex) : loop(clock, futex) {}

    CardLoop loop;
    size_t seats = 0;
  };

  const platform::Clock& clock_;
  platform::Futex& futex_;
  std::map<GpuUuid, Card> cards_;
  share::TenantId next_id_ = 1;
};

}  // namespace warpshare::node

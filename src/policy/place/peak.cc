#include "policy/place/peak.h"

#include <algorithm>

#include "policy/place/saturate.h"

namespace warpshare::place {

void Add(CardHold& sum, const CardHold& hold) {
  sum.memory = Plus(sum.memory, hold.memory);
  sum.cores = Plus(sum.cores, hold.cores);
  sum.slots = Plus(sum.slots, hold.slots);
  sum.unpromised = Plus(sum.unpromised, hold.unpromised);
}

void RaiseTo(CardHold& peak, const CardHold& hold) {
  peak.memory = std::max(peak.memory, hold.memory);
  peak.cores = std::max(peak.cores, hold.cores);
  peak.slots = std::max(peak.slots, hold.slots);
  peak.unpromised = std::max(peak.unpromised, hold.unpromised);
}

void PodPeak::Add(const GpuUuid& uuid, const CardHold& hold) {
  auto life = std::find_if(lives_.begin(), lives_.end(),
                           [&](const Life& known) { return known.uuid == uuid; });
  if (life == lives_.end()) life = lives_.insert(life, {.uuid = uuid});
  if (kind_ == request::ContainerKind::kInit) {
    CardHold together = life->sidecars;
    place::Add(together, hold);
    RaiseTo(life->init, together);
    return;
  }
  if (kind_ == request::ContainerKind::kSidecar) place::Add(life->sidecars, hold);
  place::Add(life->running, hold);
}

std::vector<HeldCard> PodPeak::Cards() const {
  std::vector<HeldCard> cards;
  for (const Life& life : lives_) {
    cards.push_back({.uuid = life.uuid, .hold = life.running});
    RaiseTo(cards.back().hold, life.init);
  }
  return cards;
}

}  // namespace warpshare::place

// What all tenants of a card were promised of its time, together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "node/tenancy/state_dir.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

// Divides what the guaranteed shares of each card leave among the others by weight, and writes it
// to their pages: what they keep to while there is no arbiter. To be called when somebody came,
// went or changed; the state's lock is held by the caller. A page that cannot be written stays as
// it is.
void SpreadStaticShares(const StateDir& state);

// Is any tenant held back on any card, so that an arbiter is needed?
bool IsAnyoneHeldBack(const StateDir& state);

// The cards that anybody is held back on.
std::vector<GpuUuid> CardsHeldBack(const StateDir& state);

// A card on which guaranteed shares add up to more than there is.
struct Overpromise {
  std::string card;                  // its index, or the beginning of its uuid
  uint64_t permille;                 // all together
  std::vector<std::string> tenants;  // by name
};

// Of the cards that this tenant has.
std::vector<Overpromise> FindOverpromises(const StateDir& state, const std::string& tenant);

}  // namespace warpshare::node

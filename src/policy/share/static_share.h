// What each tenant of a card keeps itself to while there is no arbiter.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "policy/share/terms.h"

namespace warpshare::share {

// In permille, beside `terms`. A guaranteed share is what it is; what those leave of the card is
// divided by weight. Nobody has less than one percent: a tenant that could do nothing at all would
// hang.
std::vector<uint32_t> StaticShares(std::span<const Terms> terms);

// Of the guaranteed ones; above kWholeCard, not all can have theirs at the same time.
uint64_t SumOfGuarantees(std::span<const Terms> terms);

}  // namespace warpshare::share

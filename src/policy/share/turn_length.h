// How long turns are when others have work, by what it costs the card to go from one tenant to
// another. Where that is little they are as short as timing.h says; where it is much, what is lost
// would be more than what tenants may miss, so they are longer, up to a bound.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpshare::share {

// `handover_ns`: lost of the card's time at each handover; 0: not known. `in_play`: tenants that
// want the card.
uint64_t QuantumNs(uint64_t handover_ns, size_t in_play);

// What a guaranteed tenant of this share, 1..kWholeCard, has to be owed before it takes the card
// from somebody who takes all that is left.
uint64_t StartNs(uint64_t handover_ns, uint32_t share_permille);

}  // namespace warpshare::share

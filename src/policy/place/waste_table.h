// How much of a card's free part will stay unused in the end.
#pragma once

#include <array>

#include "policy/place/outlook.h"

namespace warpshare::place {

// Share of the pods by the percent of a card that they want; its sum is at most 1.
using SizeMix = std::array<double, kLevels + 1>;

// Expected waste by what is free, in milli. A free part either finds no taker and is wasted whole,
// or it finds one, more probably one that leaves little waste behind, and the same goes for what is
// left then.
WasteTable ExpectedWaste(const SizeMix& mix);

}  // namespace warpshare::place

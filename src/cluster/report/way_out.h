// What would give a waiting pod its place: the end of which other pods, and how much less it could
// ask for. Tried on copies of the ledger, with the code that places pods.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cluster/report/fit.h"

namespace warpshare::report {

// The pod fits on the node once these are gone, and not without any of them.
struct Departure {
  const NodeFacts* node = nullptr;
  std::vector<const PodFacts*> pods = {};
  Bytes memory = {};  // that they hold on the node's cards
};

// The fewest pods first, then those that hold least; at most `most`, one a node. Looks at the nodes
// in the order given and stops at a fixed number of them: give the nearest first.
std::vector<Departure> FindDepartures(const Survey& survey, const PodFacts& pod,
                                      std::span<const NodeAnswer* const> nodes, size_t most);

// A request that would fit now, all else being equal.
struct Offer {
  enum class What : uint8_t { kMemory, kCores, kCards };
  What what = What::kMemory;
  Bytes memory = {};    // of each card
  uint32_t number = 0;  // percent of each card's time, or cards
  const NodeFacts* node = nullptr;
};

// The most of memory, of cores and of cards that a smaller request could have. Of pods with several
// containers that ask for cards there is none: each would have to be changed.
std::vector<Offer> FindOffers(const Survey& survey, const PodFacts& pod,
                              std::span<const NodeAnswer> nodes);

}  // namespace warpshare::report

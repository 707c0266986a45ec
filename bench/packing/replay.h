// One run of the packing protocol: a trace's pods in a shuffled order, and duplicates of random
// ones behind them, arrive one after the other and never leave.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/packing/trace.h"

namespace warpshare::bench {

// Percent of the cluster's cards that no pod has, when pods worth so many percent of them have
// come.
struct Unallocated {
  double at_100 = 0;
  double at_130 = 0;
};

Unallocated Replay(const std::vector<place::NodeSpec>& nodes, const PodList& list, uint64_t seed);

}  // namespace warpshare::bench

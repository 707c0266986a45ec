// One run of the protocol as text, for those who replay it elsewhere: a JSON line a node, then one
// a pod in the order of their arrival.
#pragma once

#include <cstdint>
#include <cstdio>
#include <vector>

#include "bench/packing/trace.h"

namespace warpshare::bench {

void PrintArrivals(std::FILE* out, const std::vector<place::NodeSpec>& nodes, const PodList& list,
                   uint64_t seed);

}  // namespace warpshare::bench

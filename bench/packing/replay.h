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
  double named_elsewhere = 0;  // pods that fitted, but on no node of the part that was looked at
};

// In thousandths of a card.
uint64_t Capacity(const std::vector<place::NodeSpec>& nodes);

// Places in the list, in the order of their arrival. The same on every machine.
std::vector<size_t> Arrivals(const PodList& list, uint64_t capacity_milli, uint64_t seed);

// Each pod is shown so many of the nodes, as kube-scheduler's percentageOfNodesToScore has it, and
// all where none of these has room.
Unallocated Replay(const std::vector<place::NodeSpec>& nodes, const PodList& list, uint64_t seed,
                   unsigned part_percent);

}  // namespace warpshare::bench

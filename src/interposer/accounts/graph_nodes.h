// What the allocation nodes of a graph may take of each card.
#pragma once

#include <cstdint>

#include "abi/driver/cuda_types.h"
#include "abi/region/limits_page.h"
#include "interposer/guest/function_ref.h"

namespace warpshare::interposer {

// Bytes by card. The driver gives allocations of a graph that are never live together the same
// addresses, and the same memory; so what counts is how many addresses there are.
struct GraphDemand {
  uint64_t bytes[abi::kMaxCards + 1];
  CUdevice device[abi::kMaxCards + 1];  // of the card; only where bytes is not 0

  bool IsNothing() const;
};

// Visits all nodes, those of child graphs too.
using VisitNode = guest::FunctionRef<void(CUgraphNode node, CUgraphNodeType type)>;
void ForEachNode(CUgraph graph, VisitNode visit);

// With those of child graphs. Of memory on cards that no allocation node names, nothing.
GraphDemand DemandOf(CUgraph graph);

// An allocation node's addresses.
struct AddressRange {
  uint64_t start;
  uint64_t bytes;
  uint32_t card;
};

// Sorts `ranges` and adds up what each card's cover; pure.
void AddUp(AddressRange* ranges, uint32_t count, uint64_t (&bytes)[abi::kMaxCards + 1]);

}  // namespace warpshare::interposer

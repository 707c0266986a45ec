// What every node has of cards, and who has what of them: the figures that placement goes by, and
// the pods behind them. Points into the survey, which outlives it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cluster/report/survey.h"

namespace warpshare::report {

// A container's part of one card.
struct Tenant {
  const PodFacts* pod = nullptr;
  const request::ContainerGrant* container = nullptr;
  const request::CardGrant* grant = nullptr;
};

struct Sums {
  uint64_t cards = 0;
  uint64_t unhealthy = 0;
  Bytes memory = {};
  Bytes memory_allocated = {};
  uint64_t cores = 0;  // percent of a card
  uint64_t cores_allocated = 0;
  uint64_t tenants = 0;  // containers, each pod at its peak

  void Add(const Sums& more);
};

struct CardStock {
  uint32_t index = 0;  // among the node's cards
  const place::CardSpec* spec = nullptr;
  bool is_taken = false;  // by a pod of NVIDIA's plugin, as the node tells
  Sums sums = {};
  std::vector<Tenant> tenants = {};  // init containers too, which may be gone by now
};

struct NodeStock {
  const NodeFacts* facts = nullptr;
  Sums sums = {};
  std::vector<CardStock> cards = {};
  std::vector<const PodFacts*> plain = {};   // hold nvidia.com/gpu, whose cards only NVIDIA knows
  std::vector<const PodFacts*> broken = {};  // ask for cards and have none that can be counted
  uint64_t plain_taken = 0;                  // nvidia.com/gpu, by `plain`
};

struct Stock {
  std::vector<NodeStock> nodes = {};  // with cards or pods that ask for them, by name
  Sums sums = {};
  uint64_t plain_cards = 0;  // nvidia.com/gpu
  uint64_t plain_taken = 0;
  size_t nodes_without_cards = 0;
  std::vector<const PodFacts*> waiting = {};
};

Stock TakeStock(const Survey& survey);

}  // namespace warpshare::report

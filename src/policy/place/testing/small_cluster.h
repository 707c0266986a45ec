// Nodes, cards and pods for tests, by short numbers.
#pragma once

#include <string>
#include <vector>

#include "policy/place/filter.h"
#include "policy/place/grant.h"
#include "policy/place/rank.h"

namespace warpshare::place {

inline GpuUuid Uuid(uint8_t node, uint8_t card) {
  std::array<uint8_t, 16> bytes = {};
  bytes[0] = node;
  bytes[15] = card;
  return GpuUuid(bytes);
}

// "n1" with cards of 16 GiB; tests change what they care for.
inline NodeSpec MakeNode(uint8_t number, uint8_t cards, const std::string& model = "T4") {
  NodeSpec node{.name = "n" + std::to_string(number)};
  for (uint8_t card = 0; card < cards; ++card)
    node.cards.push_back({.uuid = Uuid(number, card), .model = model, .memory = 16_GiB});
  return node;
}

inline request::ContainerRequest Part(Bytes memory, uint32_t cores = 0, uint32_t cards = 1) {
  return {
      .name = "main", .cards = cards, .memory = MemoryAmount::Of(memory), .cores_percent = cores};
}

inline request::ContainerRequest Whole(uint32_t cards) {
  return {.name = "main", .cards = cards, .cores_percent = kWholeCores, .whole = true};
}

inline request::Request Pod(std::vector<request::ContainerRequest> containers) {
  return {.containers = std::move(containers)};
}

// A ledger, and what the scheduler would do with a pod.
struct SmallCluster {
  Ledger ledger = {};
  Demand demand = {};
  Outlook outlook = {};
  std::vector<NodeId> nodes = {};

  explicit SmallCluster(const std::vector<NodeSpec>& specs) {
    for (const NodeSpec& spec : specs) {
      ledger.SetNode(spec);
      nodes.push_back(*ledger.FindNode(spec.name));
    }
  }
  std::vector<Verdict> Judge(const request::Request& request) const {
    std::vector<Verdict> verdicts;
    Filter(ledger, MakeShape(request, ledger), nodes, HostCheck::kSkip, verdicts);
    return verdicts;
  }
  std::optional<BestNode> Best(const request::Request& request) const {
    const Shape shape = MakeShape(request, ledger);
    Placer placer(ledger, outlook, shape);
    return FindBest(placer, nodes);
  }
  // The assignment, whose node is empty where it fits nowhere.
  request::Assignment Bind(const std::string& uid, const request::Request& request) {
    const auto best = Best(request);
    if (!best) return {};
    if (!ledger.Reserve(uid, HoldOf(request, ledger, best->node, best->placement), 0)) return {};
    ledger.Commit(uid);
    return AssignmentOf(request, ledger, best->node, best->placement);
  }
  void Learn(const request::Request& request, int times) {
    for (int i = 0; i < times; ++i) demand.Observe(request);
    outlook = Foresee(demand, ledger);
  }
};

}  // namespace warpshare::place

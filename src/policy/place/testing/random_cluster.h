// Nodes and pods of all sorts, for tests that compare two ways of coming to the same answer.
#pragma once

#include <random>

#include "policy/place/testing/small_cluster.h"

namespace warpshare::place {

class Chance {
 public:
  explicit Chance(uint32_t seed) : random_(seed) {}

  uint32_t Below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }
  bool OneIn(uint32_t times) { return Below(times) == 0; }
  template <typename Item>
  const Item& Of(const std::vector<Item>& items) {
    return items[Below(static_cast<uint32_t>(items.size()))];
  }
  template <typename Item>
  void Shuffle(std::vector<Item>& items) {
    std::shuffle(items.begin(), items.end(), random_);
  }

 private:
  std::mt19937 random_;
};

inline NodeSpec RandomNode(Chance& chance, uint8_t number) {
  NodeSpec node{.name = "n" + std::to_string(number),
                .cpu_milli = chance.OneIn(4) ? 0 : 8'000 * (1 + chance.Below(8)),
                .memory = 64_GiB};
  const uint32_t cards = chance.OneIn(8) ? 0 : 1 + chance.Below(8);
  const std::string model = chance.Of(std::vector<std::string>{"T4", "A100", "V100"});
  for (uint8_t card = 0; card < cards; ++card)
    node.cards.push_back({.uuid = Uuid(number, card),
                          .model = chance.OneIn(8) ? "T4" : model,
                          .memory = chance.OneIn(2) ? 16_GiB : 24_GiB,
                          .slots = 1 + chance.Below(6),
                          .healthy = !chance.OneIn(10),
                          .numa_node = static_cast<int16_t>(chance.Below(3)) - 1 < 0
                                           ? int16_t{-1}
                                           : static_cast<int16_t>(card % 2),
                          .link_group = static_cast<uint16_t>(chance.Below(3))});
  return node;
}

inline request::ContainerRequest RandomContainer(Chance& chance) {
  if (chance.OneIn(5)) return Whole(1 + chance.Below(3));
  return Part(Bytes(static_cast<uint64_t>(1 + chance.Below(12)) << 30), chance.Below(4) * 15,
              chance.OneIn(4) ? 2 : 1);
}

inline void Wish(Chance& chance, request::CardWishes& wishes) {
  constexpr request::Policy kPolicies[] = {request::Policy::kFit, request::Policy::kBinpack,
                                           request::Policy::kSpread, request::Policy::kTopology};
  wishes.node_policy = kPolicies[chance.Below(4)];
  wishes.card_policy = kPolicies[chance.Below(4)];
  wishes.one_numa_node = chance.OneIn(8);
  if (chance.OneIn(6)) wishes.use_models = {"T4"};
  if (chance.OneIn(6)) wishes.avoid_models = {"A100"};
  if (chance.OneIn(10)) wishes.avoid_uuids = {Uuid(1, 0), Uuid(2, 0)};
  if (chance.OneIn(20)) wishes.use_uuids = {Uuid(3, 0), Uuid(4, 1)};
}

inline request::Request RandomPod(Chance& chance) {
  request::Request pod;
  for (const uint32_t stay = chance.OneIn(3) ? 2 : 1; pod.containers.size() < stay;)
    pod.containers.push_back(RandomContainer(chance));
  if (chance.OneIn(4)) {
    request::ContainerRequest first = RandomContainer(chance);
    first.kind = chance.OneIn(2) ? request::ContainerKind::kInit : request::ContainerKind::kSidecar;
    pod.containers.insert(pod.containers.begin(), first);
  }
  for (size_t i = 0; i < pod.containers.size(); ++i)
    pod.containers[i].name = "c" + std::to_string(i);
  pod.host = {.cpu_milli = 500 * chance.Below(12), .memory = Bytes(chance.Below(8) * (1u << 30))};
  Wish(chance, pod.wishes);
  return pod;
}

}  // namespace warpshare::place

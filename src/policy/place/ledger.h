// Who holds what, on every card of the cluster: the one truth that placement reads. Each change
// costs what it touches; nothing is ever recomputed from all pods.
//
// One thread at a time. No clock: a reservation's deadline is compared with the time that the
// caller gives. Ids of nodes and cards are good until the node is removed or its cards change.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "policy/place/card.h"
#include "policy/place/names.h"
#include "policy/place/node_spec.h"
#include "policy/request/request.h"

namespace warpshare::place {

struct Node {
  CardId first_card = 0;
  uint16_t card_count = 0;
  bool present = false;
  bool has_host = false;     // are its processors known?
  uint16_t empty_cards = 0;  // healthy, and nobody on them
  uint32_t free_milli = 0;   // of healthy cards, in thousandths of a card
  int64_t cpu_free_milli = 0;
  int64_t memory_free = 0;
  int64_t cpu_milli = 0;  // with nobody on it
  int64_t memory = 0;
};

// What the hot loops need not see.
struct CardDetail {
  GpuUuid uuid = {};
  NodeId node = 0;
  int16_t numa_node = -1;
  uint16_t link_group = 0;
  int16_t slots = 0;  // with nobody on it
};

struct HeldCard {
  GpuUuid uuid = {};
  CardHold hold = {};

  bool operator==(const HeldCard&) const = default;
};

// All that a pod holds, in its peak. A pod without cards holds processors and memory only.
struct PodHold {
  std::string node = {};
  std::vector<HeldCard> cards = {};
  request::HostNeed host = {};
  int32_t priority = 0;  // of the pod; the ledger itself prefers nobody

  bool operator==(const PodHold&) const = default;
};

enum class HoldState : uint8_t {
  kReserved,   // until its deadline, unless committed
  kCommitted,  // until it is released
};

class Ledger {
 public:
  // Adds the node, or brings it up to date: pods stay where they are, also on cards that are gone,
  // and count again when these come back.
  void SetNode(const NodeSpec& spec);
  void RemoveNode(std::string_view name);
  void SetHealth(const GpuUuid& uuid, bool healthy);

  // False, and nothing changes, where any card has not so much left. A hold that the pod has
  // already is replaced.
  bool Reserve(const std::string& pod_uid, const PodHold& hold, uint64_t deadline_ns);
  // Holds it whether it fits or not: a node says that it is so.
  void Adopt(const std::string& pod_uid, const PodHold& hold);
  bool Commit(const std::string& pod_uid);  // false: no such pod
  bool Release(const std::string& pod_uid);
  // Releases reservations past their deadline and returns their pods.
  std::vector<std::string> Expire(uint64_t now_ns);

  std::optional<NodeId> FindNode(std::string_view name) const;
  std::optional<CardId> FindCard(const GpuUuid& uuid) const;
  const PodHold* FindHold(const std::string& pod_uid) const;
  // Good until a hold on that node changes.
  struct PodOn {
    const std::string* uid;
    const PodHold* hold;
  };
  std::vector<PodOn> PodsOn(const std::string& node) const;

  const Node& node(NodeId id) const { return nodes_[id]; }
  const std::string& node_name(NodeId id) const { return node_names_[id]; }
  size_t node_ids() const { return nodes_.size(); }  // absent ones included
  // Grows whenever anything that placement reads of the node or its cards changes, also when it
  // goes and another one has its id. Never 0 for a node that was there.
  uint64_t version(NodeId id) const { return versions_[id]; }
  const Card& card(CardId id) const { return cards_[id]; }
  const CardDetail& detail(CardId id) const { return details_[id]; }
  std::span<const Card> cards_of(NodeId id) const {
    return {cards_.data() + nodes_[id].first_card, nodes_[id].card_count};
  }
  const Models& models() const { return models_; }
  const Kinds& kinds() const { return kinds_; }
  size_t pod_count() const { return pods_.size(); }

 private:
  struct Pod {
    PodHold hold;
    HoldState state = HoldState::kCommitted;
    uint64_t deadline_ns = 0;
  };
  using PodEntry = std::pair<const std::string, Pod>;
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  struct UuidHash {
    size_t operator()(const GpuUuid& uuid) const;
  };

  NodeId MakeNode(const std::string& name);
  CardId MakeCards(uint16_t count);
  void DropCards(Node& node);
  void FillCards(Node& node, const NodeSpec& spec);
  void Apply(const PodHold& hold, int times);
  void TakeFrom(Node& node, const PodHold& hold, int times);
  bool IsInexact(const Node& node) const;
  void CountAnew(Node& node, const std::string& name);
  bool HasRoom(const PodHold& hold) const;
  void Put(const std::string& pod_uid, Pod pod);
  std::optional<Pod> TakeOut(const std::string& pod_uid);
  bool IsOn(const Node& node, CardId card) const {
    return card - node.first_card < node.card_count;
  }
  void Summarize(Node& node);

  std::vector<Node> nodes_;
  std::vector<std::string> node_names_;
  std::vector<uint64_t> versions_;  // by node
  std::vector<Card> cards_;
  std::vector<CardDetail> details_;
  std::unordered_map<std::string, NodeId, TextHash, std::equal_to<>> node_by_name_;
  std::unordered_map<GpuUuid, CardId, UuidHash> card_by_uuid_;
  std::unordered_map<std::string, Pod> pods_;
  std::unordered_map<std::string, std::vector<const PodEntry*>> pods_on_;  // by name of the node
  std::vector<NodeId> free_nodes_;
  std::unordered_map<uint16_t, std::vector<CardId>> free_ranges_;  // by number of cards
  Models models_;
  Kinds kinds_;
};

}  // namespace warpshare::place

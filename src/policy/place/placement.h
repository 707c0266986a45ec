// Where on a node a pod's containers would go, and what that would cost the cluster.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "policy/place/outlook.h"
#include "policy/place/shape.h"

namespace warpshare::place {

struct ChosenCard {
  uint32_t container = 0;  // its place in the request
  CardId card = 0;
  CardNeed need = {};
};

// What a pod holds of one card, in its peak.
struct ChosenHold {
  CardId card = 0;
  CardHold hold = {};
};

struct Placement {
  double cost = 0;                     // less is better; only to be compared within one policy
  std::vector<ChosenCard> cards = {};  // container by container
  std::vector<ChosenHold> holds = {};  // each card once
};

// Looks at one node after the other for one shape. Writes nothing but its own scratch; allocates
// nothing once `placement` has grown. The shape must be fresh.
class Placer {
 public:
  Placer(const Ledger& ledger, const Outlook& outlook, const Shape& shape)
      : ledger_(ledger), outlook_(outlook), shape_(shape), is_single_(IsSingle(shape)) {}

  // False: the pod does not fit; `placement` is then worth nothing.
  bool Place(NodeId node, Placement& placement);

 private:
  using Cards = std::array<Card, kMaxCardsPerNode>;
  using Holds = std::array<CardHold, kMaxCardsPerNode>;
  struct Candidate {
    uint16_t index = 0;
    double key = 0;
  };

  static bool IsSingle(const Shape& shape);
  void Load(NodeId node);
  bool PlaceSingle(Placement& placement) const;
  bool PlaceAll(Placement& placement);
  bool PlaceRunning(Placement& placement);
  bool PlaceInits(Placement& placement);
  bool Choose(const ContainerShape& container, Cards& cards, Placement& placement);
  std::optional<uint32_t> FindSingle(const ContainerShape& container) const;
  uint32_t FindCandidates(const ContainerShape& container, const Cards& cards);
  uint32_t KeepTogether(uint32_t count, uint32_t wanted);
  uint32_t KeepSmallestGroup(uint32_t count, uint32_t wanted, bool by_link);
  double KeyOf(const Card& card, const CardNeed& need) const;
  double HeldKey(const Card& card, const CardNeed& need, uint16_t index) const;
  double FitCost(const Card& before, const Card& after) const;
  double CostOf(const Placement& placement) const;
  uint32_t Crossings(const Placement& placement) const;

  const Ledger& ledger_;
  const Outlook& outlook_;
  const Shape& shape_;
  const bool is_single_;  // one container that stays, with one card: most pods
  const Node* node_ = nullptr;
  uint32_t count_ = 0;
  std::span<const Card> now_ = {};  // as they are
  Cards then_ = {};                 // with the containers that stay
  Cards start_ = {};                // with the sidecars that are up when an init container runs
  Holds peak_ = {};
  std::array<Candidate, kMaxCardsPerNode> candidates_ = {};
};

}  // namespace warpshare::place

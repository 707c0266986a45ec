#include "policy/place/placement.h"

#include <algorithm>

#include "policy/place/peak.h"

namespace warpshare::place {

namespace {

using request::ContainerKind;
using request::Policy;

// Before everything else that a key weighs.
constexpr double kFirst = 1e6;

// What has been taken from a card.
CardHold Taken(const Card& before, const Card& after) {
  return {.memory = before.memory_free - after.memory_free,
          .cores = static_cast<int16_t>(before.cores_free - after.cores_free),
          .slots = static_cast<int16_t>(before.slots_free - after.slots_free),
          .unpromised = static_cast<uint16_t>(after.unpromised - before.unpromised)};
}

}  // namespace

bool Placer::IsSingle(const Shape& shape) {
  return shape.containers.size() == 1 && shape.containers.front().cards == 1 &&
         shape.containers.front().kind != ContainerKind::kInit;
}

bool Placer::Place(NodeId node, Placement& placement) {
  placement.cards.clear();
  placement.holds.clear();
  Load(node);
  if (!(is_single_ ? PlaceSingle(placement) : PlaceAll(placement))) return false;
  placement.cost = CostOf(placement);
  return true;
}

void Placer::Load(NodeId node) {
  node_ = &ledger_.node(node);
  count_ = node_->card_count;
  now_ = ledger_.cards_of(node);
}

// What PlaceAll() would come to, without a copy of the cards for other containers to see.
bool Placer::PlaceSingle(Placement& placement) const {
  const ContainerShape& container = shape_.containers.front();
  const auto found = FindSingle(container);
  if (!found) return false;
  const CardId card = node_->first_card + *found;
  const CardNeed& need = container.need_by_kind[now_[*found].kind];
  placement.cards.push_back({.container = container.container, .card = card, .need = need});
  placement.holds.push_back({.card = card, .hold = HoldOf(need)});
  return true;
}

// For each card of each node: it is to be part of the loops.
inline double Placer::FitCost(const Card& before, const Card& after) const {
  const double taken = (static_cast<double>(FreeLevel(before)) - FreeLevel(after)) * kMilliPerLevel;
  const double price =
      before.model < outlook_.price_by_model.size() ? outlook_.price_by_model[before.model] : 0;
  return WasteOf(outlook_, after) - WasteOf(outlook_, before) + price * taken;
}

inline double Placer::KeyOf(const Card& card, const CardNeed& need) const {
  Card after = card;
  after.memory_free -= need.memory;
  after.cores_free = static_cast<int16_t>(after.cores_free - need.cores);
  after.level = static_cast<uint8_t>(card.level > need.level ? card.level - need.level : 0);
  switch (shape_.card_policy) {
    case Policy::kBinpack:
      return static_cast<double>(FreeLevel(after));
    case Policy::kSpread:
      return -static_cast<double>(FreeLevel(after));
    case Policy::kFit:
    case Policy::kTopology:
      break;
  }
  return FitCost(card, after);
}

std::optional<uint32_t> Placer::FindSingle(const ContainerShape& container) const {
  std::optional<uint32_t> best;
  double best_key = 0;
  const bool is_any_like = !shape_.names_cards();
  for (uint32_t i = 0; i < count_; ++i) {
    // The first of several that are alike wins.
    if (is_any_like && i > 0 && now_[i] == now_[i - 1]) continue;
    const CardNeed& need = container.need_by_kind[now_[i].kind];
    if (!Fits(now_[i], need)) continue;
    if (!Allows(shape_, now_[i], ledger_.detail(node_->first_card + i))) continue;
    const double key = KeyOf(now_[i], need);
    if (best && best_key <= key) continue;
    best = i;
    best_key = key;
  }
  return best;
}

bool Placer::PlaceAll(Placement& placement) {
  std::copy(now_.begin(), now_.end(), then_.begin());
  std::fill_n(peak_.begin(), count_, CardHold{});
  if (!PlaceRunning(placement) || !PlaceInits(placement)) return false;
  for (uint32_t i = 0; i < count_; ++i)
    if (peak_[i].slots > 0)
      placement.holds.push_back({.card = node_->first_card + i, .hold = peak_[i]});
  return true;
}

bool Placer::PlaceRunning(Placement& placement) {
  for (const ContainerShape& container : shape_.containers) {
    if (container.kind == ContainerKind::kInit) continue;
    const size_t first = placement.cards.size();
    if (!Choose(container, then_, placement)) return false;
    for (size_t i = first; i < placement.cards.size(); ++i)
      Add(peak_[placement.cards[i].card - node_->first_card], HoldOf(placement.cards[i].need));
  }
  return true;
}

// Each init container runs beside the sidecars before it and nobody else of its pod.
bool Placer::PlaceInits(Placement& placement) {
  const bool any = std::any_of(
      shape_.containers.begin(), shape_.containers.end(),
      [](const ContainerShape& container) { return container.kind == ContainerKind::kInit; });
  if (!any) return true;
  std::copy(now_.begin(), now_.end(), start_.begin());
  for (const ContainerShape& container : shape_.containers) {
    if (container.kind == ContainerKind::kOrdinary) continue;
    if (container.kind == ContainerKind::kSidecar) {
      for (const ChosenCard& chosen : placement.cards)
        if (chosen.container == container.container)
          Take(start_[chosen.card - node_->first_card], HoldOf(chosen.need));
      continue;
    }
    Cards cards = start_;
    if (!Choose(container, cards, placement)) return false;
    for (uint32_t i = 0; i < count_; ++i) RaiseTo(peak_[i], Taken(now_[i], cards[i]));
  }
  return true;
}

bool Placer::Choose(const ContainerShape& container, Cards& cards, Placement& placement) {
  uint32_t count = FindCandidates(container, cards);
  if (count < container.cards) return false;
  if (container.cards > 1) {
    count = KeepTogether(count, container.cards);
    if (count < container.cards) return false;
  }
  const auto better = [](const Candidate& a, const Candidate& b) {
    return a.key != b.key ? a.key < b.key : a.index < b.index;
  };
  std::partial_sort(candidates_.begin(), candidates_.begin() + container.cards,
                    candidates_.begin() + count, better);
  for (uint32_t i = 0; i < container.cards; ++i) {
    const uint16_t index = candidates_[i].index;
    const CardNeed& need = container.need_by_kind[cards[index].kind];
    placement.cards.push_back(
        {.container = container.container, .card = node_->first_card + index, .need = need});
    Take(cards[index], HoldOf(need));
  }
  return true;
}

uint32_t Placer::FindCandidates(const ContainerShape& container, const Cards& cards) {
  uint32_t count = 0;
  for (uint16_t i = 0; i < count_; ++i) {
    const CardNeed& need = container.need_by_kind[cards[i].kind];
    if (!Fits(cards[i], need)) continue;
    if (!Allows(shape_, cards[i], ledger_.detail(node_->first_card + i))) continue;
    candidates_[count++] = {.index = i, .key = HeldKey(cards[i], need, i)};
  }
  return count;
}

// Cards of a container that wants several: of one NUMA node where the pod insists; else linked ones
// where it wishes for topology or takes whole cards, for which all else is equal.
uint32_t Placer::KeepTogether(uint32_t count, uint32_t wanted) {
  if (shape_.one_numa_node) count = KeepSmallestGroup(count, wanted, /*by_link=*/false);
  if (count < wanted) return count;
  const uint32_t linked = KeepSmallestGroup(count, wanted, /*by_link=*/true);
  if (linked >= wanted) return linked;
  const uint32_t near = KeepSmallestGroup(count, wanted, /*by_link=*/false);
  return near >= wanted ? near : count;
}

// Brings the smallest group that is large enough to the front of the candidates; 0 if there is
// none. The smallest, so that larger groups stay whole for those who need them.
uint32_t Placer::KeepSmallestGroup(uint32_t count, uint32_t wanted, bool by_link) {
  const auto group_of = [&](const Candidate& candidate) -> int {
    const CardDetail& detail = ledger_.detail(node_->first_card + candidate.index);
    return by_link ? detail.link_group - 1 : detail.numa_node;  // below 0: none
  };
  const auto end = candidates_.begin() + count;
  uint32_t smallest = kMaxCardsPerNode + 1;
  int best = -1;
  for (auto candidate = candidates_.begin(); candidate != end; ++candidate) {
    const int group = group_of(*candidate);
    if (group < 0) continue;
    const auto size =
        static_cast<uint32_t>(std::count_if(candidates_.begin(), end, [&](const Candidate& other) {
          return group_of(other) == group;
        }));
    if (size < wanted || size >= smallest) continue;
    smallest = size;
    best = group;
  }
  if (best < 0) return 0;
  std::partition(candidates_.begin(), end,
                 [&](const Candidate& candidate) { return group_of(candidate) == best; });
  return smallest;
}

// An init container costs nothing where its pod holds as much later on.
double Placer::HeldKey(const Card& card, const CardNeed& need, uint16_t index) const {
  const bool is_held = peak_[index].slots > 0 && peak_[index].memory >= need.memory &&
                       peak_[index].cores >= need.cores;
  const double held = is_held && then_[index].tenants != card.tenants ? -kFirst : 0;
  return held + KeyOf(card, need);
}

// Cards of one container that are on another NUMA node, or not linked, to its first one.
uint32_t Placer::Crossings(const Placement& placement) const {
  uint32_t crossings = 0;
  const ChosenCard* first = nullptr;
  for (const ChosenCard& chosen : placement.cards) {
    if (first == nullptr || first->container != chosen.container) first = &chosen;
    const CardDetail& a = ledger_.detail(first->card);
    const CardDetail& b = ledger_.detail(chosen.card);
    if (a.numa_node != b.numa_node) ++crossings;
    if (first->card != chosen.card && (a.link_group != b.link_group || a.link_group == 0))
      ++crossings;
  }
  return crossings;
}

double Placer::CostOf(const Placement& placement) const {
  uint32_t empty = node_->empty_cards;
  uint32_t free_milli = node_->free_milli;
  double cost = 0;
  for (const ChosenHold& held : placement.holds) {
    const Card& before = now_[held.card - node_->first_card];
    Card after = before;
    Take(after, held.hold);
    cost += FitCost(before, after);
    free_milli -= (FreeLevel(before) - FreeLevel(after)) * kMilliPerLevel;
    if (before.tenants == 0) --empty;
  }
  cost += outlook_.block_waste[empty] - outlook_.block_waste[node_->empty_cards];
  if (node_->has_host) {
    const auto cpu = static_cast<int64_t>(shape_.host.cpu_milli);
    cost += StrandedByCpu(outlook_, free_milli, node_->cpu_free_milli - cpu) -
            StrandedByCpu(outlook_, node_->free_milli, node_->cpu_free_milli);
  }
  if (shape_.node_policy == Policy::kFit) return cost;
  const double left = count_ == 0 ? 0 : static_cast<double>(free_milli) / count_;
  switch (shape_.node_policy) {
    case Policy::kBinpack:
      return left * kFirst + cost;
    case Policy::kSpread:
      return -left * kFirst + cost;
    case Policy::kTopology:
      return Crossings(placement) * kFirst + cost;
    case Policy::kFit:
      break;
  }
  return cost;
}

}  // namespace warpshare::place

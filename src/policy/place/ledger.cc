#include "policy/place/ledger.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "policy/place/saturate.h"

namespace warpshare::place {

namespace {

constexpr uint32_t kMaxSlots = INT16_MAX;

Card MakeCard(const CardSpec& spec, Models& models, Kinds& kinds) {
  const auto memory = Saturated<int64_t>(spec.memory.count());
  return {.memory_total = static_cast<uint64_t>(memory),
          .memory_free = memory,
          .slots_free = static_cast<int16_t>(std::min(spec.slots, kMaxSlots)),
          .kind = kinds.IdOf(spec.memory.count()),
          .model = models.IdOf(spec.model),
          .healthy = spec.healthy};
}

bool HasRoomFor(const Card& card, const CardHold& hold) {
  if (!card.healthy || hold.memory > card.memory_free || hold.slots > card.slots_free) return false;
  return CoresFit(card, {.cores = hold.cores});
}

}  // namespace

size_t Ledger::UuidHash::operator()(const GpuUuid& uuid) const {
  uint64_t halves[2];
  std::memcpy(halves, uuid.bytes().data(), sizeof(halves));
  return halves[0] * 0x9e3779b97f4a7c15u ^ halves[1];
}

void Ledger::SetNode(const NodeSpec& spec) {
  const auto found = FindNode(spec.name);
  const NodeId id = found ? *found : MakeNode(spec.name);
  Node& node = nodes_[id];
  if (found) DropCards(node);
  node.present = true;
  node.has_host = spec.cpu_milli != 0;
  node.cpu_milli = Saturated<int64_t>(spec.cpu_milli);
  node.memory = Saturated<int64_t>(spec.memory.count());
  FillCards(node, spec);
  CountAnew(node, spec.name);
}

void Ledger::RemoveNode(std::string_view name) {
  const auto found = node_by_name_.find(name);
  if (found == node_by_name_.end()) return;
  const NodeId id = found->second;
  DropCards(nodes_[id]);
  nodes_[id] = Node{};
  ++versions_[id];
  node_names_[id].clear();
  node_by_name_.erase(found);
  free_nodes_.push_back(id);
}

void Ledger::SetHealth(const GpuUuid& uuid, bool healthy) {
  const auto id = FindCard(uuid);
  if (!id) return;
  cards_[*id].healthy = healthy;
  Summarize(nodes_[details_[*id].node]);
}

bool Ledger::Reserve(const std::string& pod_uid, const PodHold& hold, uint64_t deadline_ns) {
  auto before = TakeOut(pod_uid);
  const bool fits = HasRoom(hold);
  if (fits)
    Put(pod_uid, {.hold = hold, .state = HoldState::kReserved, .deadline_ns = deadline_ns});
  else if (before)
    Put(pod_uid, std::move(*before));
  return fits;
}

void Ledger::Adopt(const std::string& pod_uid, const PodHold& hold) {
  Release(pod_uid);
  Put(pod_uid, {.hold = hold});
}

bool Ledger::Commit(const std::string& pod_uid) {
  const auto found = pods_.find(pod_uid);
  if (found == pods_.end()) return false;
  found->second.state = HoldState::kCommitted;
  return true;
}

bool Ledger::Release(const std::string& pod_uid) { return TakeOut(pod_uid).has_value(); }

std::optional<Ledger::Pod> Ledger::TakeOut(const std::string& pod_uid) {
  const auto found = pods_.find(pod_uid);
  if (found == pods_.end()) return std::nullopt;
  const auto neighbours = pods_on_.find(found->second.hold.node);
  std::erase(neighbours->second, &*found);
  if (neighbours->second.empty()) pods_on_.erase(neighbours);
  Pod pod = std::move(found->second);
  pods_.erase(found);
  Apply(pod.hold, -1);
  return pod;
}

std::vector<std::string> Ledger::Expire(uint64_t now_ns) {
  std::vector<std::string> expired;
  for (const auto& [uid, pod] : pods_)
    if (pod.state == HoldState::kReserved && pod.deadline_ns <= now_ns) expired.push_back(uid);
  for (const std::string& uid : expired) Release(uid);
  return expired;
}

std::optional<NodeId> Ledger::FindNode(std::string_view name) const {
  const auto found = node_by_name_.find(name);
  if (found == node_by_name_.end()) return std::nullopt;
  return found->second;
}

std::optional<CardId> Ledger::FindCard(const GpuUuid& uuid) const {
  const auto found = card_by_uuid_.find(uuid);
  if (found == card_by_uuid_.end()) return std::nullopt;
  return found->second;
}

const PodHold* Ledger::FindHold(const std::string& pod_uid) const {
  const auto found = pods_.find(pod_uid);
  return found == pods_.end() ? nullptr : &found->second.hold;
}

std::vector<Ledger::PodOn> Ledger::PodsOn(const std::string& node) const {
  std::vector<PodOn> pods;
  const auto found = pods_on_.find(node);
  if (found == pods_on_.end()) return pods;
  for (const PodEntry* pod : found->second)
    pods.push_back({.uid = &pod->first, .hold = &pod->second.hold});
  return pods;
}

NodeId Ledger::MakeNode(const std::string& name) {
  NodeId id = static_cast<NodeId>(nodes_.size());
  if (!free_nodes_.empty()) {
    id = free_nodes_.back();
    free_nodes_.pop_back();
  } else {
    nodes_.emplace_back();
    node_names_.emplace_back();
    versions_.emplace_back(0);
  }
  node_names_[id] = name;
  node_by_name_.emplace(name, id);
  return id;
}

// Cards of nodes that are gone are used again by nodes with as many.
CardId Ledger::MakeCards(uint16_t count) {
  std::vector<CardId>& free = free_ranges_[count];
  if (!free.empty()) {
    const CardId first = free.back();
    free.pop_back();
    return first;
  }
  const CardId first = static_cast<CardId>(cards_.size());
  cards_.resize(cards_.size() + count);
  details_.resize(cards_.size());
  return first;
}

void Ledger::DropCards(Node& node) {
  for (CardId id = node.first_card; id < node.first_card + node.card_count; ++id) {
    const auto found = card_by_uuid_.find(details_[id].uuid);
    if (found != card_by_uuid_.end() && found->second == id) card_by_uuid_.erase(found);
    cards_[id] = Card{.healthy = false};
    details_[id] = CardDetail{};
  }
  if (node.card_count != 0) free_ranges_[node.card_count].push_back(node.first_card);
  node.card_count = 0;
}

void Ledger::FillCards(Node& node, const NodeSpec& spec) {
  node.card_count = static_cast<uint16_t>(std::min<size_t>(spec.cards.size(), kMaxCardsPerNode));
  node.first_card = node.card_count == 0 ? 0 : MakeCards(node.card_count);
  for (uint16_t i = 0; i < node.card_count; ++i) {
    const CardSpec& card = spec.cards[i];
    cards_[node.first_card + i] = MakeCard(card, models_, kinds_);
    details_[node.first_card + i] = {.uuid = card.uuid,
                                     .node = static_cast<NodeId>(&node - nodes_.data()),
                                     .numa_node = card.numa_node,
                                     .link_group = card.link_group,
                                     .slots = cards_[node.first_card + i].slots_free};
    card_by_uuid_.insert_or_assign(card.uuid, node.first_card + i);
  }
}

void Ledger::Apply(const PodHold& hold, int times) {
  const auto id = FindNode(hold.node);
  if (!id) return;
  Node& node = nodes_[*id];
  if (times < 0 && IsInexact(node)) return CountAnew(node, hold.node);
  TakeFrom(node, hold, times);
  Summarize(node);
}

void Ledger::TakeFrom(Node& node, const PodHold& hold, int times) {
  node.cpu_free_milli = Plus(node.cpu_free_milli, Saturated<int64_t>(hold.host.cpu_milli), -times);
  node.memory_free = Plus(node.memory_free, Saturated<int64_t>(hold.host.memory.count()), -times);
  for (const HeldCard& held : hold.cards) {
    const auto card = FindCard(held.uuid);
    if (card && IsOn(node, *card)) Take(cards_[*card], held.hold, times);
  }
}

bool Ledger::IsInexact(const Node& node) const {
  if (IsAtEdge(node.cpu_free_milli) || IsAtEdge(node.memory_free)) return true;
  const auto first = cards_.begin() + node.first_card;
  return std::any_of(first, first + node.card_count,
                     [](const Card& card) { return place::IsInexact(card); });
}

// From the node with nobody on it.
void Ledger::CountAnew(Node& node, const std::string& name) {
  node.cpu_free_milli = node.cpu_milli;
  node.memory_free = node.memory;
  for (CardId id = node.first_card; id < node.first_card + node.card_count; ++id) {
    Card& card = cards_[id];
    card = {.memory_total = card.memory_total,
            .memory_free = static_cast<int64_t>(card.memory_total),
            .slots_free = details_[id].slots,
            .kind = card.kind,
            .model = card.model,
            .healthy = card.healthy};
  }
  const auto pods = pods_on_.find(name);
  if (pods != pods_on_.end())
    for (const PodEntry* pod : pods->second) TakeFrom(node, pod->second.hold, 1);
  Summarize(node);
}

bool Ledger::HasRoom(const PodHold& hold) const {
  const auto id = FindNode(hold.node);
  if (!id) return false;
  const Node& node = nodes_[*id];
  for (const HeldCard& held : hold.cards) {
    const auto card = FindCard(held.uuid);
    if (!card || !IsOn(node, *card) || !HasRoomFor(cards_[*card], held.hold)) return false;
  }
  return true;
}

void Ledger::Put(const std::string& pod_uid, Pod pod) {
  const auto [place, is_new] = pods_.emplace(pod_uid, std::move(pod));
  pods_on_[place->second.hold.node].push_back(&*place);
  Apply(place->second.hold, 1);
}

// After every change of the node.
void Ledger::Summarize(Node& node) {
  ++versions_[static_cast<size_t>(&node - nodes_.data())];
  node.empty_cards = 0;
  node.free_milli = 0;
  for (CardId id = node.first_card; id < node.first_card + node.card_count; ++id) {
    const Card& card = cards_[id];
    if (!card.healthy) continue;
    node.free_milli += FreeLevel(card) * kMilliPerLevel;
    if (card.tenants == 0) ++node.empty_cards;
  }
}

}  // namespace warpshare::place

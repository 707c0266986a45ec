#include "policy/place/ledger.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpshare::place {

namespace {

constexpr uint32_t kMaxSlots = INT16_MAX;

Card MakeCard(const CardSpec& spec, Models& models, Kinds& kinds) {
  const auto memory = static_cast<int64_t>(std::min<uint64_t>(spec.memory.count(), INT64_MAX));
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
  node.cpu_free_milli = static_cast<int64_t>(spec.cpu_milli);
  node.memory_free = static_cast<int64_t>(spec.memory.count());
  FillCards(node, spec);
  Summarize(node);
  const auto pods = pods_on_.find(spec.name);
  if (pods == pods_on_.end()) return;
  for (const PodHold* hold : pods->second) Apply(*hold, 1);
}

void Ledger::RemoveNode(std::string_view name) {
  const auto found = node_by_name_.find(name);
  if (found == node_by_name_.end()) return;
  const NodeId id = found->second;
  DropCards(nodes_[id]);
  nodes_[id] = Node{};
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
  const PodHold* before = FindHold(pod_uid);
  if (before != nullptr) Apply(*before, -1);
  const bool fits = HasRoom(hold);
  if (before != nullptr) Apply(*before, 1);
  if (!fits) return false;
  Release(pod_uid);
  Put(pod_uid, {.hold = hold, .state = HoldState::kReserved, .deadline_ns = deadline_ns});
  return true;
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

bool Ledger::Release(const std::string& pod_uid) {
  const auto found = pods_.find(pod_uid);
  if (found == pods_.end()) return false;
  Apply(found->second.hold, -1);
  const auto neighbours = pods_on_.find(found->second.hold.node);
  std::erase(neighbours->second, &found->second.hold);
  if (neighbours->second.empty()) pods_on_.erase(neighbours);
  pods_.erase(found);
  return true;
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

NodeId Ledger::MakeNode(const std::string& name) {
  NodeId id = static_cast<NodeId>(nodes_.size());
  if (!free_nodes_.empty()) {
    id = free_nodes_.back();
    free_nodes_.pop_back();
  } else {
    nodes_.emplace_back();
    node_names_.emplace_back();
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
                                     .link_group = card.link_group};
    card_by_uuid_.insert_or_assign(card.uuid, node.first_card + i);
  }
}

void Ledger::Apply(const PodHold& hold, int times) {
  const auto id = FindNode(hold.node);
  if (!id) return;
  Node& node = nodes_[*id];
  node.cpu_free_milli -= static_cast<int64_t>(hold.host.cpu_milli) * times;
  node.memory_free -= static_cast<int64_t>(hold.host.memory.count()) * times;
  for (const HeldCard& held : hold.cards) {
    const auto card = FindCard(held.uuid);
    if (card && IsOn(node, *card)) Take(cards_[*card], held.hold, times);
  }
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
  pods_on_[place->second.hold.node].push_back(&place->second.hold);
  Apply(place->second.hold, 1);
}

void Ledger::Summarize(Node& node) {
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

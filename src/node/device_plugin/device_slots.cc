#include "node/device_plugin/device_slots.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "abi/names/resources.h"

namespace warpshare::node {

namespace {

using platform::DeviceIds;

// Free slots of each card, in order.
using FreeSlots = std::map<GpuUuid, std::set<std::string>>;

FreeSlots ByCard(const DeviceIds& ids) {
  FreeSlots free;
  for (const std::string& id : ids)
    if (const auto card = CardOfSlot(id)) free[*card].insert(id);
  return free;
}

// Takes one slot of the card, if it has one.
void TakeOne(FreeSlots& free, const GpuUuid& card, DeviceIds& chosen) {
  const auto found = free.find(card);
  if (found == free.end() || found->second.empty()) return;
  chosen.push_back(*found->second.begin());
  found->second.erase(found->second.begin());
}

std::vector<GpuUuid> MostFreeFirst(const FreeSlots& free) {
  std::vector<GpuUuid> cards;
  for (const auto& [card, slots] : free) cards.push_back(card);
  std::ranges::sort(cards, [&](const GpuUuid& left, const GpuUuid& right) {
    const size_t of_left = free.at(left).size();
    const size_t of_right = free.at(right).size();
    return of_left != of_right ? of_left > of_right : left < right;
  });
  return cards;
}

}  // namespace

std::string SlotId(const GpuUuid& card, uint32_t slot) {
  const std::string number = std::to_string(slot);
  return card.Text() + abi::kDeviceSlotSeparator + (number.size() < 2 ? "0" : "") + number;
}

std::optional<GpuUuid> CardOfSlot(const std::string& id) {
  const size_t end = id.find(abi::kDeviceSlotSeparator);
  if (end == std::string::npos) return std::nullopt;
  return ParseGpuUuid(std::string_view(id).substr(0, end));
}

std::vector<platform::PluginDevice> SlotsOf(const std::vector<SlottedCard>& cards, uint32_t split) {
  std::vector<platform::PluginDevice> devices;
  for (const SlottedCard& card : cards)
    for (uint32_t slot = 0; slot < split; ++slot)
      devices.push_back({.id = SlotId(card.uuid, slot),
                         .is_healthy = card.is_healthy,
                         .numa_node = card.numa_node});
  return devices;
}

DeviceIds PreferSlots(const platform::DeviceChoice& choice, const std::vector<GpuUuid>& wanted) {
  DeviceIds chosen = choice.must_include;
  FreeSlots free = ByCard(choice.available);
  std::vector<GpuUuid> missing = wanted;
  for (const std::string& id : choice.must_include) {
    const auto card = CardOfSlot(id);
    if (!card) continue;
    free[*card].erase(id);
    if (const auto at = std::ranges::find(missing, *card); at != missing.end()) missing.erase(at);
  }
  for (const GpuUuid& card : missing)
    if (chosen.size() < choice.size) TakeOne(free, card, chosen);
  // Round by round, one slot of each card.
  for (size_t before = SIZE_MAX; chosen.size() < choice.size && chosen.size() != before;) {
    before = chosen.size();
    for (const GpuUuid& card : MostFreeFirst(free))
      if (chosen.size() < choice.size) TakeOne(free, card, chosen);
  }
  return chosen;
}

}  // namespace warpshare::node

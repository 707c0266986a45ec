// Whatever ids another plugin gives its devices: a card that is found is one of ours, whatever
// comes after its name, and one that a device of our own names is the device's.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "node/device_plugin/device_slots.h"
#include "node/device_plugin/taken_cards.h"

namespace {

using warpshare::GpuUuid;
using warpshare::node::CardState;

std::vector<CardState> Cards() {
  std::vector<CardState> cards;
  for (uint8_t i = 0; i < 3; ++i)
    cards.push_back({.card = {.index = i,
                              .uuid = GpuUuid(std::array<uint8_t, 16>{i, 0xab}),
                              .name = "Card",
                              .total = {},
                              .used = {},
                              .minor = i + 4U},
                     .is_healthy = true});
  return cards;
}

bool IsOurs(const std::vector<CardState>& cards, const GpuUuid& uuid) {
  return std::ranges::any_of(cards, [&](const CardState& each) { return each.card.uuid == uuid; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::vector<CardState> cards = Cards();
  const std::string id(reinterpret_cast<const char*>(data), size);
  const auto found = warpshare::node::CardOfDevice(id, cards);
  if (found && !IsOurs(cards, *found)) std::abort();
  if (found && warpshare::node::CardOfDevice(id + "::1", cards) != found) std::abort();
  const auto slot = warpshare::node::CardOfSlot(id);
  if (slot && IsOurs(cards, *slot) && found != slot) std::abort();
  return 0;
}

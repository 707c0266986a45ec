#include "node/device_plugin/device_slots.h"

#include <gtest/gtest.h>

namespace warpshare::node {
namespace {

using platform::DeviceIds;

GpuUuid Card(uint8_t number) { return GpuUuid(std::array<uint8_t, 16>{number}); }

DeviceIds Slots(uint8_t card, uint32_t count) {
  DeviceIds ids;
  for (uint32_t slot = 0; slot < count; ++slot) ids.push_back(SlotId(Card(card), slot));
  return ids;
}

DeviceIds Both(DeviceIds left, const DeviceIds& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

TEST(DeviceSlots, ASlotNamesItsCard) {
  EXPECT_EQ(SlotId(Card(1), 7), "GPU-01000000-0000-0000-0000-000000000000::07");
  EXPECT_EQ(SlotId(Card(1), 15).substr(40), "::15");
  EXPECT_EQ(CardOfSlot(SlotId(Card(1), 7)), Card(1));
  EXPECT_EQ(CardOfSlot("GPU-01000000-0000-0000-0000-000000000000"), std::nullopt);
  EXPECT_EQ(CardOfSlot("card::07"), std::nullopt);
}

TEST(DeviceSlots, ACardHasThemAllAlike) {
  const auto devices = SlotsOf({{Card(1), true, 0}, {Card(2), false, std::nullopt}}, 2);
  ASSERT_EQ(devices.size(), 4u);
  EXPECT_EQ(devices[1], (platform::PluginDevice{SlotId(Card(1), 1), true, 0}));
  EXPECT_EQ(devices[2], (platform::PluginDevice{SlotId(Card(2), 0), false, std::nullopt}));
}

TEST(DeviceSlots, ThoseOfTheExpectedCardsAreBest) {
  const DeviceIds free = Both(Slots(1, 9), Slots(2, 3));
  EXPECT_EQ(PreferSlots({free, {}, 1}, {Card(2)}), Slots(2, 1));
  EXPECT_EQ(PreferSlots({free, {}, 2}, {Card(2), Card(1)}), Both(Slots(2, 1), Slots(1, 1)));
  EXPECT_EQ(PreferSlots({free, {}, 1}, {Card(3)}), Slots(1, 1)) << "such a card has none";
}

TEST(DeviceSlots, OtherwiseThoseOfDifferentCards) {
  const DeviceIds free = Both(Slots(1, 3), Slots(2, 9));
  EXPECT_EQ(PreferSlots({free, {}, 1}, {}), Slots(2, 1)) << "most are free there";
  EXPECT_EQ(PreferSlots({free, {}, 2}, {}), Both(Slots(2, 1), Slots(1, 1)));
  EXPECT_EQ(PreferSlots({free, {}, 4}, {}).size(), 4u);
  EXPECT_EQ(PreferSlots({free, {}, 99}, {}).size(), 12u);
}

TEST(DeviceSlots, WhatMustBeInIsIn) {
  const DeviceIds free = Both(Slots(1, 3), Slots(2, 3));
  EXPECT_EQ(PreferSlots({free, Slots(1, 1), 2}, {Card(1), Card(2)}),
            Both(Slots(1, 1), Slots(2, 1)));
}

}  // namespace
}  // namespace warpshare::node

#include "cluster/webhook/ledger_cards.h"

#include <gtest/gtest.h>

#include "platform/clock/fake/fake_clock.h"

namespace warpshare::webhook {
namespace {

place::CardSpec Card(int number, const char* model, Bytes memory) {
  char uuid[64];
  std::snprintf(uuid, sizeof(uuid), "GPU-00000000-0000-0000-0000-%012d", number);
  return {.uuid = *ParseGpuUuid(uuid), .model = model, .memory = memory};
}

TEST(LedgerCards, HasNodesAlikeOnce) {
  place::Ledger ledger;
  platform::FakeClock clock;
  const LedgerCards cards(ledger, clock);
  ledger.SetNode({.name = "a", .cards = {Card(1, "T4", 16_GiB), Card(2, "T4", 16_GiB)}});
  ledger.SetNode({.name = "b", .cards = {Card(3, "T4", 16_GiB), Card(4, "T4", 16_GiB)}});
  ledger.SetNode({.name = "c", .cards = {Card(5, "A100", 80_GiB)}});
  ledger.SetNode({.name = "d", .cards = {}});
  const admit::Inventory& inventory = cards.Inventory();
  ASSERT_EQ(inventory.size(), 2u);
  EXPECT_EQ(inventory[0].size() + inventory[1].size(), 3u);
}

TEST(LedgerCards, LooksAgainAfterASecond) {
  place::Ledger ledger;
  platform::FakeClock clock;
  const LedgerCards cards(ledger, clock);
  EXPECT_TRUE(cards.Inventory().empty());
  ledger.SetNode({.name = "c", .cards = {Card(5, "A100", 80_GiB)}});
  EXPECT_TRUE(cards.Inventory().empty());
  clock.Sleep(std::chrono::seconds(1));
  ASSERT_EQ(cards.Inventory().size(), 1u);
  EXPECT_EQ(cards.Inventory()[0][0].model, "A100");
  EXPECT_EQ(cards.Inventory()[0][0].memory, 80_GiB);
}

}  // namespace
}  // namespace warpshare::webhook

#include "node/cluster_link/announcement.h"

#include <gtest/gtest.h>

#include "policy/node_cards/node_cards.h"

namespace warpshare::node {
namespace {

std::vector<CardState> TwoCards() {
  std::vector<CardState> cards;
  for (uint8_t i = 0; i < 2; ++i)
    cards.push_back({.card = {.index = i,
                              .uuid = GpuUuid(std::array<uint8_t, 16>{i}),
                              .name = "Test Card",
                              .total = 40_GiB,
                              .used = 0_B},
                     .is_healthy = true});
  return cards;
}

TEST(Announcement, SaysEachCardAndWhatTheyHaveTogether) {
  const Announcement announcement = AnnouncementOf(TwoCards(), 16);
  const auto cards = node_cards::Decode(announcement.cards);
  ASSERT_TRUE(cards) << cards.error().message;
  EXPECT_EQ(cards->size(), 2u);
  EXPECT_EQ(announcement.capacity, (NodeCapacity{.memory_mib = 81'920, .core_percent = 200}));
}

TEST(Announcement, SaysWhichCardsAreJoined) {
  std::vector<CardState> cards = TwoCards();
  for (CardState& card : cards) card.card.link_group = 3;
  const auto announced = node_cards::Decode(AnnouncementOf(cards, 16).cards);
  ASSERT_TRUE(announced) << announced.error().message;
  for (const place::CardSpec& card : *announced) EXPECT_EQ(card.link_group, 3);
}

TEST(Announcement, AnIllCardStaysInTheCapacityWhichPodsAreHeldAgainst) {
  std::vector<CardState> cards = TwoCards();
  const Announcement well = AnnouncementOf(cards, 16);
  cards[1].is_healthy = false;
  const Announcement ill = AnnouncementOf(cards, 16);
  EXPECT_EQ(ill.capacity, well.capacity);
  EXPECT_FALSE(node_cards::Decode(ill.cards)->at(1).healthy);
}

}  // namespace
}  // namespace warpshare::node

#include "policy/node_cards/link_groups.h"

#include <gtest/gtest.h>

namespace warpshare::node_cards {
namespace {

using Groups = std::vector<uint16_t>;

GpuUuid Uuid(uint8_t card) { return GpuUuid(std::array<uint8_t, 16>{card}); }

LinkedCard Card(uint8_t card, const std::vector<uint8_t>& peers = {}, bool is_at_switch = false) {
  LinkedCard linked{.uuid = Uuid(card), .peers = {}, .is_at_switch = is_at_switch};
  for (const uint8_t peer : peers) linked.peers.push_back(Uuid(peer));
  return linked;
}

TEST(LinkGroups, CardsWithoutLinksAreInNone) {
  EXPECT_EQ(LinkGroups({}), Groups{});
  EXPECT_EQ(LinkGroups({Card(0), Card(1)}), (Groups{0, 0}));
}

TEST(LinkGroups, PairsAreNumberedInTheOrderOfTheCards) {
  EXPECT_EQ(LinkGroups({Card(0, {3}), Card(1, {2}), Card(2, {1}), Card(3, {0}), Card(4)}),
            (Groups{1, 2, 2, 1, 0}));
}

TEST(LinkGroups, WhoIsReachedPastOthersIsInTheGroup) {
  EXPECT_EQ(LinkGroups({Card(0, {1}), Card(1, {0, 2}), Card(2, {1}), Card(3)}),
            (Groups{1, 1, 1, 0}));
  EXPECT_EQ(LinkGroups({Card(0, {2}), Card(1, {3}), Card(2, {0}), Card(3, {1, 2})}),
            (Groups{1, 1, 1, 1}))
      << "two groups that a later card joins";
}

TEST(LinkGroups, OneEndOfALinkWillDo) {
  EXPECT_EQ(LinkGroups({Card(0), Card(1, {0})}), (Groups{1, 1}));
}

TEST(LinkGroups, AllAtASwitchAreOneGroup) {
  EXPECT_EQ(LinkGroups({Card(0, {}, true), Card(1), Card(2, {}, true)}), (Groups{1, 0, 1}));
  EXPECT_EQ(LinkGroups({Card(0, {}, true), Card(1)}), (Groups{0, 0})) << "alone at it";
}

TEST(LinkGroups, APeerThatIsNotThereJoinsNobody) {
  EXPECT_EQ(LinkGroups({Card(0, {9}), Card(1, {9})}), (Groups{0, 0}));
}

}  // namespace
}  // namespace warpshare::node_cards

#include "node/device_plugin/known_cards.h"

#include <fstream>

#include "node/device_plugin/fake/plugin_fixture.h"

namespace warpshare::node {
namespace {

using platform::Card;
using platform::CardList;

class KnownCardsTest : public testing::Test {
 protected:
  KnownCardsTest() {
    char pattern[] = "/tmp/known_cards_test.XXXXXX";
    root_ = mkdtemp(pattern);
  }
  ~KnownCardsTest() override { std::filesystem::remove_all(root_); }

  static Card CardAt(uint32_t index) {
    return {.index = index,
            .uuid = GpuUuid(std::array<uint8_t, 16>{static_cast<uint8_t>(index), 0xab}),
            .name = "Test Card",
            .total = 40_GiB,
            .used = 1_GiB,
            .minor = index + 4,
            .numa_node = std::nullopt};
  }
  static platform::UnreadableCard LostAt(uint32_t index) {
    return {index, std::nullopt, {Errc::kUnavailable, "cannot read it"}};
  }
  std::vector<Card> Recall(const CardList& list) { return RecallLostCards(path(), list, log_); }
  std::string path() const { return root_ + "/cards"; }

  std::string root_;
  KeptLog log_;
};

TEST_F(KnownCardsTest, RecallsACardThatCannotBeReadAnyMoreByItsPlace) {
  EXPECT_TRUE(Recall({.cards = {CardAt(0), CardAt(1)}}).empty());
  for (int start = 0; start < 2; ++start) {  // it stays known as long as it is lost
    const auto lost = Recall({.cards = {CardAt(0)}, .unreadable = {LostAt(1)}});
    ASSERT_EQ(lost.size(), 1u);
    EXPECT_EQ(lost[0].index, 1u);
    EXPECT_EQ(lost[0].uuid, CardAt(1).uuid);
    EXPECT_EQ(lost[0].name, "Test Card");
    EXPECT_EQ(lost[0].total, 40_GiB);
    EXPECT_EQ(lost[0].minor, 5u);
    EXPECT_EQ(lost[0].numa_node, std::nullopt);
  }
  EXPECT_TRUE(log_.Has("told of as unhealthy"));
}

TEST_F(KnownCardsTest, RecallsByUuidWhereTheDriverSaysIt) {
  Recall({.cards = {CardAt(0), CardAt(1)}});
  platform::UnreadableCard lost = LostAt(0);
  lost.uuid = CardAt(1).uuid;  // another one has its place now
  Card moved = CardAt(0);
  moved.index = 1;
  const auto recalled = Recall({.cards = {moved}, .unreadable = {lost}});
  ASSERT_EQ(recalled.size(), 1u);
  EXPECT_EQ(recalled[0].uuid, CardAt(1).uuid);
}

TEST_F(KnownCardsTest, LeavesOutWhatItNeverKnewAndSaysSo) {
  EXPECT_TRUE(Recall({.cards = {CardAt(0)}, .unreadable = {LostAt(1)}}).empty());
  EXPECT_TRUE(log_.Has("left out"));
  EXPECT_TRUE(Recall({.cards = {CardAt(0), CardAt(1)}}).empty()) << "it is back";
  // The card of that place can be read at another.
  Card moved = CardAt(1);
  moved.index = 0;
  EXPECT_TRUE(Recall({.cards = {moved}, .unreadable = {LostAt(1)}}).empty());
}

TEST_F(KnownCardsTest, ReadsOverLinesThatMakeNoSense) {
  std::ofstream(path()) << "1\n\n1\tGPU-x\t5\t-\t-\tname\n\t\t\t\t\t\n"
                        << "1\t" << CardAt(1).uuid.Text() << "\t4096\t-\t0\tCard";
  const auto lost = Recall({.cards = {}, .unreadable = {LostAt(1)}});
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].total, 4096_B);
  EXPECT_EQ(lost[0].numa_node, 0u);
}

}  // namespace
}  // namespace warpshare::node

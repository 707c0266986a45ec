#include "platform/nvml/card_links.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace warpshare::platform {
namespace {

class CardLinksTest : public testing::Test {
 protected:
  ~CardLinksTest() override { unsetenv("FAKE_NVML"); }

  static std::vector<CardLinks> ListWith(const char* told) {
    setenv("FAKE_NVML", told, 1);
    const auto links = ListLinks(FAKE_NVML_FOLDER, ListCards(FAKE_NVML_FOLDER)->cards);
    EXPECT_TRUE(links) << links.error().message;
    return links.value_or(std::vector<CardLinks>());
  }
};

TEST_F(CardLinksTest, CardsWithoutLinksHaveNone) {
  const auto cards = ListWith("");
  ASSERT_EQ(cards.size(), 3u);
  for (const CardLinks& card : cards) {
    EXPECT_TRUE(card.peers.empty());
    EXPECT_FALSE(card.is_at_switch);
  }
}

TEST_F(CardLinksTest, ACardNamesThoseAtTheOtherEndsOfItsActiveLinks) {
  const auto cards = ListWith("linked");
  ASSERT_EQ(cards.size(), 3u);
  EXPECT_EQ(cards[0].peers, std::vector{cards[1].card});
  EXPECT_EQ(cards[1].peers, std::vector{cards[0].card}) << "the link to the third is down";
  EXPECT_TRUE(cards[2].peers.empty());
}

TEST_F(CardLinksTest, ASwitchIsNoCard) {
  for (const CardLinks& card : ListWith("switched")) {
    EXPECT_TRUE(card.is_at_switch);
    EXPECT_TRUE(card.peers.empty());
  }
}

TEST_F(CardLinksTest, AMachineWithoutADriverSaysSo) {
  setenv("FAKE_NVML", "no-driver", 1);
  EXPECT_FALSE(ListLinks(FAKE_NVML_FOLDER, {}));
  EXPECT_FALSE(ListLinks("/no/such/folder", {}));
}

TEST_F(CardLinksTest, AreThoseOfASimulatedMachine) {
  char pattern[] = "/tmp/card_links_test.XXXXXX";
  const std::string root = mkdtemp(pattern);
  setenv("SIMGPU_WORLD", (root + "/world").c_str(), 1);
  setenv("SIMGPU_SCENARIO", SCENARIOS_FOLDER "/dgx-a100.scenario", 1);
  const auto cards = ListLinks(SIMGPU_FOLDER, ListCards(SIMGPU_FOLDER)->cards);
  unsetenv("SIMGPU_SCENARIO");
  std::filesystem::remove_all(root);
  ASSERT_TRUE(cards) << cards.error().message;
  ASSERT_EQ(cards->size(), 8u);
  // Twelve links to each of seven others would be 84: a card has 18.
  for (const CardLinks& card : *cards) EXPECT_FALSE(card.peers.empty());
}

}  // namespace
}  // namespace warpshare::platform

#include "cluster/webhook/ledger_cards.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "platform/clock/fake/fake_clock.h"

namespace warpshare::webhook {
namespace {

class LedgerCardsTest : public testing::Test {
 protected:
  void SetNode(uint16_t number, uint8_t cards, const char* model) {
    view_.SetNode({.name = "n" + std::to_string(number),
                   .untrusted_cards = cluster::CardsText(number, cards, model)});
  }

  cluster::KeptLog log_;
  cluster::ClusterView view_{log_};
  platform::FakeClock clock_;
  bool knows_cluster_ = true;
  const LedgerCards cards_{view_, clock_, [this] { return knows_cluster_; }};
};

TEST_F(LedgerCardsTest, HasNodesAlikeOnce) {
  SetNode(1, 2, "T4");
  SetNode(2, 2, "T4");
  SetNode(3, 1, "A100");
  SetNode(4, 0, "");
  const admit::Inventory& inventory = cards_.Inventory();
  ASSERT_EQ(inventory.size(), 2u);
  EXPECT_EQ(inventory[0].size() + inventory[1].size(), 3u);
}

TEST_F(LedgerCardsTest, LooksAgainAfterASecond) {
  EXPECT_TRUE(cards_.Inventory().empty());
  SetNode(1, 1, "A100");
  EXPECT_TRUE(cards_.Inventory().empty());
  clock_.Sleep(std::chrono::seconds(1));
  ASSERT_EQ(cards_.Inventory().size(), 1u);
  EXPECT_EQ(cards_.Inventory()[0][0].model, "A100");
  EXPECT_EQ(cards_.Inventory()[0][0].memory, 16_GiB);
}

TEST_F(LedgerCardsTest, NvidiasPluginMayBeThereUntilAllNodesAreKnownAndHaveItNot) {
  knows_cluster_ = false;
  EXPECT_TRUE(cards_.MayHaveNvidiasPlugin());
  knows_cluster_ = true;
  EXPECT_FALSE(cards_.MayHaveNvidiasPlugin());
  view_.SetNode({.name = "n1", .has_nvidias_plugin = true});
  EXPECT_TRUE(cards_.MayHaveNvidiasPlugin());
}

}  // namespace
}  // namespace warpshare::webhook

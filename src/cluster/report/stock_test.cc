#include "cluster/report/stock.h"

#include <gtest/gtest.h>

#include "cluster/report/testing/survey_words.h"

namespace warpshare::report {
namespace {

TEST(Stock, HasWhatEachCardHasAndGaveAway) {
  Survey survey;
  AddNode(survey, {.cards = 2});
  AddPod(survey, {.name = "p",
                  .uid = "p",
                  .cores = 30,
                  .node = "n1",
                  .assignment = AssignmentText(1, 1, "4GiB", "30:hard")});
  const Stock stock = TakeStock(survey);
  ASSERT_EQ(stock.nodes.size(), 1u);
  const CardStock& second = stock.nodes[0].cards[1];
  EXPECT_EQ(second.sums.memory_allocated, 4_GiB);
  EXPECT_EQ(second.sums.cores_allocated, 30u);
  ASSERT_EQ(second.tenants.size(), 1u);
  EXPECT_EQ(second.tenants[0].pod->Name(), "default/p");
  EXPECT_EQ(second.tenants[0].container->container, "main");
  EXPECT_EQ(stock.nodes[0].cards[0].sums.memory_allocated, 0_B);
  EXPECT_EQ(stock.sums.memory, 32_GiB);
  EXPECT_EQ(stock.sums.memory_allocated, 4_GiB);
  EXPECT_EQ(stock.sums.tenants, 1u);
}

TEST(Stock, CountsNodesWithoutCardsAndPodsThatWait) {
  Survey survey;
  AddNode(survey, {.number = 2});
  AddNode(survey, {.number = 1});
  AddNode(survey, {.number = 3, .cards = 0, .slots = 0});
  AddPod(survey, {.name = "w", .uid = "w"});
  AddPod(survey, {.name = "none", .uid = "none", .cards = 0});
  AddPod(survey, {.name = "done", .uid = "done", .phase = "Succeeded"});
  const Stock stock = TakeStock(survey);
  ASSERT_EQ(stock.nodes.size(), 2u);
  EXPECT_EQ(stock.nodes[0].facts->name(), "n1");
  EXPECT_EQ(stock.nodes_without_cards, 1u);
  ASSERT_EQ(stock.waiting.size(), 1u);
  EXPECT_EQ(stock.waiting[0]->name, "w");
}

TEST(Stock, HasPodsOfNvidiasOwnPluginBesideTheCards) {
  Survey survey;
  AddNode(survey, {.cards = 0, .slots = 0, .plain_cards = 8});
  const auto pod = json::Document::Parse(
      R"({"metadata":{"name":"p","namespace":"d","uid":"u","annotations":
          {"warpshare.io/assignment":"v1;n1"}},"spec":{"nodeName":"n1","containers":
          [{"name":"c","resources":{"limits":{"nvidia.com/gpu":"2"}}}]},"status":{"phase":"Running"}})");
  survey.AddPod(pod->root());
  const Stock stock = TakeStock(survey);
  ASSERT_EQ(stock.nodes.size(), 1u);
  ASSERT_EQ(stock.nodes[0].plain.size(), 1u);
  EXPECT_EQ(stock.nodes[0].plain[0]->problem, "");
  EXPECT_EQ(stock.plain_cards, 8u);
  EXPECT_EQ(stock.plain_taken, 2u);
}

TEST(Stock, TellsWhichCardsAreThoseOfNvidiasPlugin) {
  Survey survey;
  const auto node = json::Document::Parse(
      R"({"metadata":{"name":"n1","annotations":{"warpshare.io/cards":")" +
      cluster::CardsText(1, 2) + R"(","warpshare.io/taken":"v1;n1;nvidia.com.gpu=)" +
      cluster::CardOf(1, 1).Text() + R"(:16GiB:100:whole"}}})");
  survey.AddNode(node->root());
  const Stock stock = TakeStock(survey);
  ASSERT_EQ(stock.nodes.at(0).cards.size(), 2u);
  EXPECT_FALSE(stock.nodes[0].cards[0].is_taken);
  EXPECT_TRUE(stock.nodes[0].cards[1].is_taken);
  EXPECT_EQ(stock.nodes[0].cards[1].sums.memory_allocated, 16_GiB);
}

TEST(Stock, NamesPodsThatCannotBeCounted) {
  Survey survey;
  AddNode(survey, {});
  AddPod(survey, {.name = "past", .uid = "past", .node = "n1"});
  AddPod(survey, {.name = "edited",
                  .uid = "edited",
                  .node = "n1",
                  .assignment = AssignmentText(1, 0, "4GiB", "100:whole")});
  const Stock stock = TakeStock(survey);
  ASSERT_EQ(stock.nodes[0].broken.size(), 2u);
  EXPECT_NE(stock.nodes[0].broken[0]->problem.find("did not come through"), std::string::npos);
  EXPECT_NE(stock.nodes[0].broken[1]->problem.find("it was edited"), std::string::npos);
  EXPECT_EQ(stock.sums.memory_allocated, 0_B);
}

TEST(Stock, ShowsANodeWhoseCardsCannotBeRead) {
  Survey survey;
  const auto node = json::Document::Parse(
      R"({"metadata":{"name":"n1","annotations":{"warpshare.io/cards":"v1;nonsense"}}})");
  survey.AddNode(node->root());
  const Stock stock = TakeStock(survey);
  ASSERT_EQ(stock.nodes.size(), 1u);
  EXPECT_NE(stock.nodes[0].facts->problem.find("nonsense"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::report

#include "cluster/extender/verbs.h"

#include "cluster/extender/testing/extender_fixture.h"

namespace warpshare::cluster {
namespace {

using VerbsTest = ExtenderTest;

struct FilterAnswer {
  std::vector<std::string> passed;
  std::map<std::string, std::string> failed, never;
};

std::map<std::string, std::string> Reasons(json::View object) {
  std::map<std::string, std::string> reasons;
  for (const auto& [node, reason] : object.members())
    reasons.emplace(node, reason.StringOr("").substr(0, reason.StringOr("").find(':')));
  return reasons;
}

FilterAnswer Read(const std::string& text) {
  const auto document = json::Document::Parse(text);
  EXPECT_EQ((*document)["Error"].StringOr("none"), "");
  FilterAnswer answer;
  for (const json::View name : (*document)["NodeNames"].items())
    answer.passed.emplace_back(name.StringOr(""));
  answer.failed = Reasons((*document)["FailedNodes"]);
  answer.never = Reasons((*document)["FailedAndUnresolvableNodes"]);
  return answer;
}

using Map = std::map<std::string, std::string>;
using Names = std::vector<std::string>;

TEST_F(VerbsTest, FilterSaysWhereAPodGoesAndWhyNotElsewhere) {
  api_.Create(kube::kNodes, "", NodeObject(3, CardsText(3, 1, "A100")));
  api_.Create(kube::kPods, "default",
              PodObject({.name = "q",
                         .memory_gib = 14,
                         .node = "n1",
                         .assignment = AssignmentText(1, 0, "14GiB")}));
  ASSERT_TRUE(Until([&] { return process_->FreeGiB(3, 0) == 16 && process_->FreeGiB(1, 0) == 2; }));
  const std::string pod = PodObject({.uid = "u", .use_model = "T4"});
  const FilterAnswer answer =
      Read(Ask("filter", NodesBody(pod, {"n1", "n2", "n3", "unheard-of"})).body);
  EXPECT_EQ(answer.passed, Names{"n2"});
  EXPECT_EQ(answer.failed, (Map{{"n1", "no_memory"}, {"unheard-of", "no_node"}}));
  EXPECT_EQ(answer.never, (Map{{"n3", "wrong_model"}}));
}

TEST_F(VerbsTest, FilterTellsWhatPreemptionCannotHelp) {
  const std::string pod = PodObject({.uid = "u", .memory_gib = 17});
  EXPECT_EQ(Read(Ask("filter", NodesBody(pod, {"n1"})).body).never,
            (Map{{"n1", "card_too_small"}}));
}

TEST_F(VerbsTest, ThePodsReasonIsThatOfTheMostPromisingNode) {
  for (const uint16_t node : {3, 4})
    api_.Create(kube::kNodes, "", NodeObject(node, CardsText(node, 1, "A100")));
  ASSERT_TRUE(Until([&] { return process_->FreeGiB(4, 0) == 16; }));
  const std::string uid = CreatePod({.memory_gib = 17, .use_model = "T4"});
  Ask("filter", NodesBody(PodText("p"), {"n1", "n3", "n4"}));
  EXPECT_EQ(process_->extender.stats().unplaced.at(uid), place::Reason::kCardTooSmall);
}

TEST_F(VerbsTest, FilterLetsPodsWithoutCardsPass) {
  const std::string pod = PodObject({.uid = "u", .cards = 0});
  EXPECT_EQ(Read(Ask("filter", NodesBody(pod, {"n1", "unheard-of"})).body).passed,
            (Names{"n1", "unheard-of"}));
}

TEST_F(VerbsTest, ARequestThatMakesNoSenseIsTheReasonOfEveryNode) {
  const std::string pod = PodObject({.uid = "u", .cores = 200});
  EXPECT_EQ(Read(Ask("filter", NodesBody(pod, {"n1"})).body).never, (Map{{"n1", "bad_request"}}));
}

TEST_F(VerbsTest, FilterWritesNothing) {
  CreatePod({});
  const uint64_t before = api_.version();
  Ask("filter", NodesBody(PodText("p"), {"n1", "n2"}));
  EXPECT_EQ(api_.version(), before);
}

TEST_F(VerbsTest, FilterLeavesTheBestNodeAndHoldsItForTheNextPodNotToTakeIt) {
  CreatePod({.memory_gib = 12});
  CreatePod({.name = "q", .memory_gib = 12});
  const FilterAnswer first = Read(Ask("filter", NodesBody(PodText("p"), {"n1", "n2"})).body);
  EXPECT_EQ(first.passed, Names{"n1"});
  EXPECT_TRUE(first.failed.empty());
  EXPECT_EQ(process_->FreeGiB(1, 0), 4);
  const FilterAnswer second = Read(Ask("filter", NodesBody(PodText("q"), {"n1", "n2"})).body);
  EXPECT_EQ(second.passed, Names{"n2"});
}

TEST_F(VerbsTest, WhatFilterHeldIsNotInTheWayOfItsOwnPod) {
  CreatePod({.memory_gib = 12});
  Ask("filter", NodesBody(PodText("p"), {"n1"}));
  EXPECT_EQ(Read(Ask("filter", NodesBody(PodText("p"), {"n1"})).body).passed, Names{"n1"});
  EXPECT_EQ(process_->FreeGiB(1, 0), 4);
}

TEST_F(VerbsTest, FilterHoldsOneOfSeveralOnlyIfThePodWaitsAndNodesAreRealOnes) {
  const std::string made_up = PodObject({.uid = "made-up"});
  EXPECT_EQ(Read(Ask("filter", NodesBody(made_up, {"n1", "n2"})).body).passed, (Names{"n1", "n2"}));
  CreatePod({});
  const std::string whole = R"({"Pod":)" + PodText("p") + R"(,"Nodes":{"items":[)" +
                            NodeObject(1, CardsText(1, 1)) + "," + NodeObject(2, CardsText(2, 1)) +
                            R"(]},"NodeNames":null})";
  EXPECT_EQ(Read(Ask("filter", whole).body).passed, (Names{"n1", "n2"}));
  EXPECT_EQ(process_->view.counts().reserved, 0u);
}

TEST_F(VerbsTest, WholeNodesAreAnsweredWithWholeNodesAlsoIfNobodyHasThem) {
  const std::string known = NodeObject(1, "v1");  // the view knows better
  const std::string made_up = NodeObject(7, CardsText(7, 1));
  const std::string useless = NodeObject(8, "v1");
  const std::string pod = PodObject({.uid = "u"});
  const Answer answer = Ask("filter", R"({"pod":)" + pod + R"(,"nodes":{"items":[)" + known + "," +
                                          made_up + "," + useless + R"(]},"nodeNames":null})");
  EXPECT_EQ(Read(answer.body).passed, (Names{"n1", "n7"}));
  EXPECT_EQ(Read(answer.body).never, (Map{{"n8", "no_cards"}}));
  const auto document = json::Document::Parse(answer.body);
  EXPECT_EQ((*document)["Nodes"]["items"].size(), 2u);
  EXPECT_EQ((*document)["Nodes"]["items"][1]["metadata"]["name"].StringOr(""), "n7");
  EXPECT_FALSE(process_->view.ledger().FindNode("n7"));
}

std::map<std::string, int64_t> Scores(const std::string& text) {
  std::map<std::string, int64_t> scores;
  const auto document = json::Document::Parse(text);
  for (const json::View item : document->root().items())
    scores.emplace(item["Host"].StringOr(""), item["Score"].IntegerOr(-1));
  return scores;
}

TEST_F(VerbsTest, PrioritizeLeavesNothingToDraw) {
  CreatePod({});
  auto scores = Scores(Ask("prioritize", NodesBody(PodText("p"), {"n1", "n2", "strange"})).body);
  EXPECT_EQ(scores["n1"], 10);
  EXPECT_LT(scores["n2"], 10);
  EXPECT_EQ(scores["strange"], 0);
}

TEST_F(VerbsTest, PrioritizeHoldsTheBestNodeForTheNextPodNotToTakeIt) {
  CreatePod({.memory_gib = 12});
  CreatePod({.name = "q", .memory_gib = 12});
  Ask("prioritize", NodesBody(PodText("p"), {"n1", "n2"}));
  EXPECT_EQ(Read(Ask("filter", NodesBody(PodText("q"), {"n1", "n2"})).body).passed, Names{"n2"});
  // Not against itself.
  EXPECT_EQ(Read(Ask("filter", NodesBody(PodText("p"), {"n1", "n2"})).body).passed, Names{"n1"});
}

TEST_F(VerbsTest, WhatPrioritizeHeldExpires) {
  CreatePod({});
  Ask("prioritize", NodesBody(PodText("p"), {"n1"}));
  EXPECT_EQ(process_->FreeGiB(1, 0), 12);
  process_->clock.Sleep(std::chrono::seconds(2));
  EXPECT_EQ(process_->Expire(), 0u);
  process_->clock.Sleep(std::chrono::seconds(1));
  EXPECT_EQ(process_->Expire(), 1u);
  EXPECT_EQ(process_->FreeGiB(1, 0), 16);
}

TEST_F(VerbsTest, NothingIsHeldForAPodThatIsNotThere) {
  Ask("prioritize", NodesBody(PodObject({.uid = "made-up"}), {"n1"}));
  EXPECT_EQ(process_->FreeGiB(1, 0), 16);
}

}  // namespace
}  // namespace warpshare::cluster

#include "cluster/report/explanation.h"

#include <gtest/gtest.h>

#include "cluster/report/testing/survey_words.h"

namespace warpshare::report {
namespace {

// The word of a node's refusal, in the order of the nodes.
std::vector<std::string> Words(const Survey& survey, const PodStory& pod) {
  std::vector<std::string> words;
  for (const NodeAnswer& answer : JudgeNodes(survey, pod.facts, pod.wishes))
    words.push_back(answer.refusal.word);
  return words;
}

TEST(WhyWaiting, JudgesNodesAsTheSchedulerDoesAndByKubernetesRules) {
  Survey survey;
  AddNode(survey, {.number = 1});
  AddNode(survey, {.number = 2, .cards = 0});
  AddNode(survey, {.number = 3, .model = "A10"});
  AddNode(survey, {.number = 4, .spec = R"({"unschedulable":true})"});
  AddNode(survey, {.number = 5, .slots = 0});
  AddNode(survey, {.number = 6});
  AddHolder(survey, "full", 1, 0, 14);
  EXPECT_EQ(Words(survey, StoryOf({.use_model = "T4"})),
            (std::vector<std::string>{"no_memory", "no_cards", "wrong_model", "cordoned",
                                      "no_kubelet_slots", ""}));
}

TEST(WhyWaiting, NamesWhereThePodWouldGoIfItFits) {
  Survey survey;
  AddNode(survey, {.number = 1});
  AddNode(survey, {.number = 2});
  AddHolder(survey, "full", 1, 0, 14);
  const WhyWaiting why = ExplainWaiting(survey, StoryOf({}));
  EXPECT_EQ(why.fitting, 1u);
  ASSERT_NE(why.best, nullptr);
  EXPECT_EQ(why.best->name(), "n2");
  EXPECT_TRUE(why.nearest.empty());
  EXPECT_TRUE(why.offers.empty());
}

TEST(WhyWaiting, ShowsWhatIsMissingOnTheNearestNodesFirst) {
  Survey survey;
  AddNode(survey, {.number = 1});
  AddNode(survey, {.number = 2, .cards = 2});
  AddHolder(survey, "a", 1, 0, 15);
  AddHolder(survey, "b", 2, 0, 10);
  AddHolder(survey, "c", 2, 1, 14);
  const WhyWaiting why = ExplainWaiting(survey, StoryOf({.memory_gib = 8}));
  ASSERT_EQ(why.nearest.size(), 2u);
  EXPECT_EQ(why.nearest[0].node->name(), "n2");
  const CardAnswer& card = why.nearest[0].answers.cards[0];
  EXPECT_EQ(card.reason, place::Reason::kNoMemory);
  EXPECT_EQ(card.free_memory, 6_GiB);
  EXPECT_EQ(card.missing_memory(), 2_GiB);
}

TEST(WhyWaiting, SaysWhatCoresAreMissing) {
  Survey survey;
  AddNode(survey, {});
  AddPod(survey, {.name = "p",
                  .uid = "p",
                  .cores = 70,
                  .node = "n1",
                  .assignment = AssignmentText(1, 0, "4GiB", "70:hard")});
  const WhyWaiting why = ExplainWaiting(survey, StoryOf({.cores = 50}));
  ASSERT_EQ(why.nearest.size(), 1u);
  EXPECT_EQ(why.nearest[0].answers.cards[0].missing_cores(), 20u);
  ASSERT_EQ(why.offers.size(), 1u);
  EXPECT_EQ(why.offers[0].what, Offer::What::kCores);
  EXPECT_EQ(why.offers[0].number, 30u);
}

TEST(WaysOut, AreTheFewestAndSmallestPodsWhoseEndFreesANode) {
  Survey survey;
  AddNode(survey, {.number = 1});
  AddNode(survey, {.number = 2});
  AddHolder(survey, "big", 1, 0, 12);
  AddHolder(survey, "small", 1, 0, 2);
  AddHolder(survey, "x", 2, 0, 5);
  AddHolder(survey, "y", 2, 0, 6);
  AddHolder(survey, "z", 2, 0, 5);
  const WhyWaiting why = ExplainWaiting(survey, StoryOf({.memory_gib = 10}));
  ASSERT_EQ(why.departures.size(), 2u);
  EXPECT_EQ(why.departures[0].node->name(), "n1");
  ASSERT_EQ(why.departures[0].pods.size(), 1u);
  EXPECT_EQ(why.departures[0].pods[0]->name, "big");
  EXPECT_EQ(why.departures[0].memory, 12_GiB);
  EXPECT_EQ(why.departures[1].pods.size(), 2u);  // 6 and 5 of 16 GiB
}

TEST(WaysOut, AreSmallerRequestsToTheMebibyte) {
  Survey survey;
  AddNode(survey, {});
  AddHolder(survey, "a", 1, 0, 11);
  const WhyWaiting why = ExplainWaiting(survey, StoryOf({.memory_gib = 8}));
  ASSERT_EQ(why.offers.size(), 1u);
  EXPECT_EQ(why.offers[0].memory, 5_GiB);
  EXPECT_EQ(why.offers[0].node->name(), "n1");
}

TEST(WaysOut, AreFewerCards) {
  Survey survey;
  AddNode(survey, {.cards = 4});
  AddHolder(survey, "a", 1, 0, 16);
  const WhyWaiting why = ExplainWaiting(survey, StoryOf({.cards = 4, .memory_gib = 16}));
  ASSERT_FALSE(why.offers.empty());
  EXPECT_EQ(why.offers.back().what, Offer::What::kCards);
  EXPECT_EQ(why.offers.back().number, 3u);
}

TEST(WaysOut, AreToldOfNodesThatOnlyKubernetesKeepsFrom) {
  Survey survey;
  AddNode(survey, {.number = 7, .spec = R"({"unschedulable":true})"});
  const WhyWaiting why = ExplainWaiting(survey, StoryOf({}));
  ASSERT_EQ(why.barred.size(), 1u);
  EXPECT_EQ(why.barred[0].refusal.mend, "kubectl uncordon n7");
  EXPECT_TRUE(why.departures.empty());
}

TEST(WaysOut, AreNoneForWhatCanNeverBe) {
  Survey survey;
  AddNode(survey, {});
  AddHolder(survey, "a", 1, 0, 11);
  const WhyWaiting why = ExplainWaiting(survey, StoryOf({.use_model = "H100"}));
  EXPECT_TRUE(why.nearest.empty());
  EXPECT_TRUE(why.departures.empty());
  EXPECT_TRUE(why.offers.empty());
  ASSERT_EQ(why.refusals.size(), 1u);
  EXPECT_TRUE(why.refusals[0].refusal.never);
}

TEST(Quotas, RefuseWhatBindWouldRefuse) {
  Survey survey;
  AddNode(survey, {});
  AddHolder(survey, "a", 1, 0, 4);
  EXPECT_FALSE(ExplainWaiting(survey, StoryOf({.cores = 30})).is_quota_known);
  SetQuotas(survey, R"({"data":{"default":"cores = 20\ncards = 1"}})");
  const WhyWaiting cards = ExplainWaiting(survey, StoryOf({.memory_gib = 4}));
  ASSERT_TRUE(cards.quota);
  EXPECT_NE(cards.quota->message.find("cards: the namespace may have 1, has 1"), std::string::npos)
      << cards.quota->message;
  SetQuotas(survey, R"({"data":{"default":"cores = 20"}})");
  const WhyWaiting cores = ExplainWaiting(survey, StoryOf({.memory_gib = 4, .cores = 30}));
  ASSERT_TRUE(cores.quota);
  EXPECT_NE(cores.quota->message.find("cores: the namespace may have 20 %"), std::string::npos);
  EXPECT_FALSE(ExplainWaiting(survey, StoryOf({.memory_gib = 4, .cores = 20})).quota);
}

TEST(Whereabouts, AreTheCardsOfEachContainer) {
  Survey survey;
  AddNode(survey, {.cards = 2});
  const PodWords words{.uid = "u",
                       .cores = 30,
                       .node = "n1",
                       .assignment = AssignmentText(1, 1, "4GiB", "30:hard"),
                       .phase = "Running"};
  AddPod(survey, words);
  const Whereabouts whereabouts = ExplainPlaced(survey, StoryOf(words));
  ASSERT_EQ(whereabouts.parts.size(), 1u);
  EXPECT_EQ(whereabouts.parts[0].index, 1u);
  EXPECT_EQ(whereabouts.parts[0].grant.memory, 4_GiB);
  EXPECT_TRUE(whereabouts.problems.empty());
}

TEST(Whereabouts, SayWhereNodeAndApiServerDisagree) {
  Survey survey;
  AddNode(survey, {.cards = 1, .is_ready = false});
  AddHolder(survey, "a", 1, 0, 10);
  AddHolder(survey, "b", 1, 0, 10);
  const auto problems = [&](const PodWords& words) {
    std::string all;
    for (const std::string& problem : ExplainPlaced(survey, StoryOf(words)).problems)
      all += problem + "\n";
    return all;
  };
  const std::string twice =
      problems({.memory_gib = 10, .node = "n1", .assignment = AssignmentText(1, 0, "10GiB")});
  EXPECT_NE(twice.find("is given away than it has"), std::string::npos) << twice;
  EXPECT_NE(twice.find("not ready"), std::string::npos);
  EXPECT_NE(problems({.node = "n1", .assignment = AssignmentText(1, 5)}).find("not announce"),
            std::string::npos);
  EXPECT_NE(problems({.node = "n9", .assignment = AssignmentText(9, 0)}).find("n9 is gone"),
            std::string::npos);
  EXPECT_NE(problems({.node = "n1", .assignment = AssignmentText(2, 0)}).find("edited"),
            std::string::npos);
  EXPECT_NE(problems({.node = "n1"}).find("did not come through"), std::string::npos);
}

TEST(PodStory, SaysWhatThePodObjectSays) {
  const auto object = json::Document::Parse(R"({
    "metadata":{"name":"p","namespace":"d","deletionTimestamp":"2026-01-01T00:00:00Z"},
    "spec":{"schedulerName":"warpshare","schedulingGates":[{"name":"g"}],
            "containers":[{"name":"c","resources":{"limits":{"warpshare.io/gpu-cores":"x"}}}]},
    "status":{"phase":"Pending",
      "conditions":[{"type":"PodScheduled","status":"False","message":"0/3 nodes\u001b[2J"}],
      "containerStatuses":[{"name":"c","restartCount":2,
        "state":{"waiting":{"reason":"RunContainerError","message":"no"}}}]}})");
  const PodStory story = PodStoryOf(object->root());
  EXPECT_TRUE(story.asks_for_cards);
  EXPECT_TRUE(story.is_gated);
  EXPECT_TRUE(story.is_going);
  EXPECT_EQ(story.scheduler_says, "0/3 nodes?[2J");
  EXPECT_NE(story.facts.problem.find("gpu-cores 'x'"), std::string::npos);
  ASSERT_EQ(story.containers.size(), 1u);
  EXPECT_EQ(story.containers[0].state, "waiting: RunContainerError: no");
  EXPECT_TRUE(story.containers[0].is_stuck);
}

}  // namespace
}  // namespace warpshare::report

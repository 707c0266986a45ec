#include "cluster/inventory/cluster_view.h"

#include <gtest/gtest.h>

#include <map>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "pods/pod_json.h"

namespace warpshare::cluster {
namespace {

struct KeptBooks final : HoldBooks {
  bool Limits(const std::string&) const override { return true; }
  std::optional<Error> Check(const Entry&, const std::unordered_set<std::string>&) const override {
    return std::nullopt;
  }
  Result<void> Reserve(const Entry& entry) override {
    if (refuses) return Fail(Errc::kConflict, "over the quota");
    held[entry.uid] = entry.space;
    return {};
  }
  void Count(const Entry& entry) override { held[entry.uid] = entry.space; }
  void CountAgain(const std::string& uid, const place::PodHold&, const place::Ledger&) override {
    again.push_back(uid);
  }
  void Release(const std::string& uid) override { held.erase(uid); }

  std::map<std::string, std::string> held;
  std::vector<std::string> again;
  bool refuses = false;
};

class ClusterViewTest : public testing::Test {
 protected:
  void SetNode(uint16_t number, const std::string& cards_text, const std::string& lingering = "") {
    const auto document = json::Document::Parse(NodeObject(number, cards_text, lingering));
    view_.SetNode(NodeViewOf(document->root()));
  }
  void SetPod(const PodWords& words) {
    const auto document = json::Document::Parse(PodObject(words));
    view_.SetPod(pods::PodViewOf(document->root()), pods::HasEnded(document->root()));
  }
  int64_t FreeGiB(uint16_t node, uint8_t card) const {
    return view_.ledger().card(*view_.ledger().FindCard(CardOf(node, card))).memory_free >> 30;
  }
  bool Reserve(const std::string& uid, uint64_t deadline_ns) {
    request::Request request;
    request.namespace_name = "default";
    request.pod_uid = uid;
    const place::PodHold hold{
        .node = "n1",
        .cards = {{.uuid = CardOf(1, 0), .hold = {.memory = int64_t{4} << 30, .slots = 1}}}};
    return view_.Reserve(request, hold, deadline_ns).has_value();
  }

  KeptLog log_;
  KeptBooks books_;
  ClusterView view_{log_, &books_};
};

TEST_F(ClusterViewTest, TheBooksCountAgainWhatIsOnANodeWhoseCardsChange) {
  SetPod({.uid = "u", .node = "n1", .assignment = AssignmentText(1, 0)});
  SetNode(1, CardsText(1, 1));
  EXPECT_EQ(books_.again, std::vector<std::string>{"u"});
  SetNode(1, CardsText(1, 1), "v1;n1");
  EXPECT_EQ(books_.again.size(), 1u);
  SetNode(1, CardsText(1, 1, "A10"));
  EXPECT_EQ(books_.again.size(), 2u);
}

// warpshare is asked neither to place such a pod nor to give it cards.
TEST_F(ClusterViewTest, APodOfNvidiasPluginNeitherWaitsNorIsBadAndNeedsItsProcessors) {
  SetNode(1, CardsText(1, 1));
  request::PodView pod{.namespace_name = "default", .name = "p", .uid = "u"};
  pod.containers = {{.name = "main", .limits = {{"nvidia.com/gpu", "1"}, {"cpu", "4"}}}};
  view_.SetPod(pod, false);
  EXPECT_EQ(view_.counts().waiting, 0u);
  pod.node_name = "n1";
  pod.annotations["warpshare.io/assignment"] = AssignmentText(1, 0, "16GiB", "100:whole");
  view_.SetPod(pod, false);
  EXPECT_EQ(view_.counts().bad_pods, 0u);
  EXPECT_TRUE(log_.lines.empty());
  EXPECT_EQ(FreeGiB(1, 0), 16);
  EXPECT_EQ(view_.ledger().FindHold("u")->host.cpu_milli, 4'000u);
}

TEST_F(ClusterViewTest, TheBooksAreToldOfEveryHold) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1"});
  EXPECT_TRUE(Reserve("u1", 5));
  SetPod({.name = "q", .uid = "u2", .node = "n1", .assignment = AssignmentText(1, 0)});
  EXPECT_EQ(books_.held,
            (std::map<std::string, std::string>{{"u1", "default"}, {"u2", "default"}}));
  view_.Expire(5);
  view_.RemovePod("default", "q");
  EXPECT_TRUE(books_.held.empty());
}

TEST_F(ClusterViewTest, WhatTheBooksRefuseIsNotReserved) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1"});
  EXPECT_TRUE(Reserve("u1", 5));
  books_.refuses = true;
  EXPECT_FALSE(Reserve("u1", 5));
  EXPECT_EQ(FreeGiB(1, 0), 16);
  EXPECT_FALSE(view_.IsReserved("u1"));
  EXPECT_TRUE(books_.held.empty());
}

TEST_F(ClusterViewTest, PodsOnNodesHoldTheirPartsInWhateverOrderTheyAreTold) {
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0)});
  SetNode(1, CardsText(1, 2));
  SetPod({.name = "q", .uid = "u2", .node = "n1", .assignment = AssignmentText(1, 1)});
  EXPECT_EQ(FreeGiB(1, 0), 12);
  EXPECT_EQ(FreeGiB(1, 1), 12);
  EXPECT_EQ(view_.FindWaiting("u1"), nullptr);
}

TEST_F(ClusterViewTest, CapacityComesBackWhenAPodEndsOrIsDeleted) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0)});
  SetPod({.name = "q", .uid = "u2", .node = "n1", .assignment = AssignmentText(1, 0)});
  EXPECT_EQ(FreeGiB(1, 0), 8);
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0), .phase = "Succeeded"});
  EXPECT_EQ(FreeGiB(1, 0), 12);
  view_.RemovePod("default", "q");
  EXPECT_EQ(FreeGiB(1, 0), 16);
  EXPECT_EQ(view_.counts().pods, 1u);
}

TEST_F(ClusterViewTest, APodThatWentWithoutTheKubeletsWordIsHeldForTheNodesWord) {
  SetNode(1, CardsText(1, 1), "v1;n1");
  const PodWords runs = {
      .uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0), .is_running = true};
  SetPod(runs);
  view_.RemovePod("default", "p");
  EXPECT_EQ(FreeGiB(1, 0), 12);
  EXPECT_EQ(books_.held.count("u1"), 1u);
  view_.Expire(1'000);
  view_.Expire(14'000'000'000);
  EXPECT_EQ(FreeGiB(1, 0), 12);
  view_.Expire(16'000'000'000);
  EXPECT_EQ(FreeGiB(1, 0), 16) << "it would have said so by now";
  EXPECT_TRUE(books_.held.empty());
  EXPECT_EQ(view_.freed().count, 2u) << "once with the node's cards";
}

TEST_F(ClusterViewTest, WhatANodeSaysIsStillThereIsHeldUntilItSaysOtherwise) {
  SetNode(1, CardsText(1, 1), "v1;n1");
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0), .is_running = true});
  view_.RemovePod("default", "p");
  const std::string word = "v1;n1;u1=" + CardOf(1, 0).Text() + ":3GiB:0:weighted";
  SetNode(1, CardsText(1, 1), word);
  EXPECT_EQ(FreeGiB(1, 0), 13);
  view_.Expire(1);
  view_.Expire(60'000'000'000);
  EXPECT_EQ(FreeGiB(1, 0), 13);
  SetNode(1, CardsText(1, 1), "nonsense");
  EXPECT_EQ(FreeGiB(1, 0), 13);
  SetNode(1, CardsText(1, 1), "v1;n1");
  EXPECT_EQ(FreeGiB(1, 0), 16);
  EXPECT_EQ(view_.freed().count, 2u) << "once with the node's cards";
}

TEST_F(ClusterViewTest, TheNodeMayBeHeardBeforeThePodIsSeenToGo) {
  SetNode(1, CardsText(1, 1), "v1;n1");
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0), .is_running = true});
  SetNode(1, CardsText(1, 1), "v1;n1;u1=" + CardOf(1, 0).Text() + ":4GiB:0:weighted");
  view_.RemovePod("default", "p");
  EXPECT_EQ(FreeGiB(1, 0), 12) << "and not twice";
  SetNode(1, CardsText(1, 1), "v1;n1");
  EXPECT_EQ(FreeGiB(1, 0), 16);
}

TEST_F(ClusterViewTest, ANewProcessHoldsWhatANodeSaysOfPodsThatItNeverSaw) {
  SetNode(1, CardsText(1, 1), "v1;n1;u1=" + CardOf(1, 0).Text() + ":3GiB:0:weighted");
  EXPECT_EQ(FreeGiB(1, 0), 13);
  view_.RemoveNode("n1");
  SetNode(1, CardsText(1, 1));
  EXPECT_EQ(FreeGiB(1, 0), 16);
}

TEST_F(ClusterViewTest, APodThatEndedIsHeldUntilItsContainersHave) {
  SetNode(1, CardsText(1, 1), "v1;n1");
  PodWords pod = {.uid = "u1",
                  .node = "n1",
                  .assignment = AssignmentText(1, 0),
                  .phase = "Running",
                  .is_running = true};
  SetPod(pod);
  pod.phase = "Failed";  // somebody says so, and not the kubelet
  SetPod(pod);
  EXPECT_EQ(FreeGiB(1, 0), 12);
  pod.is_running = false;
  SetPod(pod);
  EXPECT_EQ(FreeGiB(1, 0), 16);
}

TEST_F(ClusterViewTest, NodesThatNeverSpeakOfTheGoneAreNotWaitedFor) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0), .is_running = true});
  view_.RemovePod("default", "p");
  EXPECT_EQ(FreeGiB(1, 0), 16);
}

TEST_F(ClusterViewTest, TellsWhereCardsCameFree) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0)});
  SetPod({.name = "q", .uid = "u2", .cards = 0, .node = "n1"});
  view_.RemovePod("default", "q");
  EXPECT_EQ(view_.freed().count, 1u);  // the node's cards
  view_.RemovePod("default", "p");
  EXPECT_EQ(view_.freed().count, 2u);
  EXPECT_EQ(view_.freed().node, "n1");
  SetNode(1, CardsText(1, 1));
  EXPECT_EQ(view_.freed().count, 2u);
  SetNode(2, CardsText(2, 1));
  EXPECT_EQ(view_.freed().count, 3u);
  EXPECT_EQ(view_.freed().node, "n2");
}

TEST_F(ClusterViewTest, KnowsWhetherAnyNodeHasNvidiasPlugin) {
  const auto set = [&](const char* name, const char* status) {
    const std::string text =
        R"({"metadata": {"name": ")" + std::string(name) + R"("}, "status": )" + status + "}";
    view_.SetNode(NodeViewOf(json::Document::Parse(text)->root()));
    return view_.HasNvidiasPlugin();
  };
  EXPECT_FALSE(set("n1", R"({"allocatable": {"warpshare.io/gpu": "16", "nvidia.com/gpu": "0"}})"));
  EXPECT_TRUE(set("n1", R"({"allocatable": {"nvidia.com/gpu": "8"}})"));
  EXPECT_TRUE(set("n1", R"({"capacity": {"nvidia.com/gpu": "8"}})"));
  EXPECT_TRUE(set("n2", R"({"capacity": {"nvidia.com/gpu": "1"}})"));
  EXPECT_TRUE(set("n2", "{}"));
  view_.RemoveNode("n1");
  EXPECT_FALSE(view_.HasNvidiasPlugin());
}

TEST_F(ClusterViewTest, ACardOfAnotherPluginIsGivenToNobodyUntilTheNodeSaysOtherwise) {
  const auto say = [&](const std::string& taken) {
    view_.SetNode({.name = "n1", .untrusted_cards = CardsText(1, 2), .untrusted_taken = taken});
  };
  const std::string card = CardOf(1, 0).Text() + ":16GiB:100:whole";
  say("v1;n1;nvidia.com.gpu=" + card);
  EXPECT_EQ(FreeGiB(1, 0), 0);
  EXPECT_EQ(FreeGiB(1, 1), 16);
  EXPECT_FALSE(Reserve("u1", 5));
  EXPECT_FALSE(view_.CanLeave("taken/n1"));
  const uint64_t freed = view_.freed().count;
  say("v1;nonsense=");
  EXPECT_EQ(FreeGiB(1, 0), 0);
  EXPECT_EQ(view_.freed().count, freed);
  say("v1;n1");
  EXPECT_EQ(FreeGiB(1, 0), 16);
  EXPECT_EQ(view_.freed().count, freed + 1);
}

TEST_F(ClusterViewTest, ACardOfAnotherPluginGoesWithItsNode) {
  view_.SetNode(
      {.name = "n1",
       .untrusted_cards = CardsText(1, 1),
       .untrusted_taken = "v1;n1;nvidia.com.gpu=" + CardOf(1, 0).Text() + ":16GiB:100:whole"});
  view_.RemoveNode("n1");
  EXPECT_EQ(view_.ledger().pod_count(), 0u);
}

TEST_F(ClusterViewTest, APodMadeAgainUnderItsNameIsAnother) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0)});
  SetPod({.uid = "u2"});
  EXPECT_EQ(FreeGiB(1, 0), 16);
  EXPECT_NE(view_.FindWaiting("u2"), nullptr);
}

TEST_F(ClusterViewTest, OnlyPodsThatAskForCardsAndAreOnNoNodeWait) {
  SetPod({.uid = "u1"});
  SetPod({.name = "q", .uid = "u2", .cards = 0});
  EXPECT_NE(view_.FindWaiting("u1"), nullptr);
  EXPECT_EQ(view_.FindWaiting("u2"), nullptr);
  EXPECT_EQ(view_.counts().waiting, 1u);
  view_.RemovePod("default", "p");
  EXPECT_EQ(view_.FindWaiting("u1"), nullptr);
}

TEST_F(ClusterViewTest, AReservationEndsAtItsDeadlineUnlessItWasKept) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "kept"});
  SetPod({.name = "q", .uid = "late"});
  EXPECT_TRUE(Reserve("kept", 5));
  EXPECT_TRUE(Reserve("late", 5));
  EXPECT_TRUE(Reserve("back", 9));
  EXPECT_EQ(FreeGiB(1, 0), 4);
  view_.Keep("kept");
  view_.GiveBack("back");
  view_.GiveBack("kept");
  EXPECT_EQ(view_.Expire(4), 0u);
  EXPECT_EQ(view_.Expire(5), 1u);
  EXPECT_EQ(FreeGiB(1, 0), 12);
  EXPECT_FALSE(view_.IsReserved("late"));
  EXPECT_EQ(view_.freed().count, 3u);  // the node's cards, and the two
  EXPECT_EQ(view_.freed().node, "n1");
}

TEST_F(ClusterViewTest, WhatNoWatchHasShownIsNotKeptForEver) {
  SetNode(1, CardsText(1, 1));
  EXPECT_TRUE(Reserve("unseen", 5));
  view_.Keep("unseen");
  EXPECT_EQ(view_.Expire(5), 1u);
}

TEST_F(ClusterViewTest, APodOnItsNodeIsNotReservedAnew) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0)});
  EXPECT_FALSE(Reserve("u1", 5));
  EXPECT_EQ(view_.Expire(9), 0u);
  EXPECT_EQ(FreeGiB(1, 0), 12);
}

TEST_F(ClusterViewTest, TheWatchConfirmsAReservation) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1"});
  EXPECT_TRUE(Reserve("u1", 5));
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0)});
  EXPECT_EQ(view_.Expire(9), 0u);
  EXPECT_EQ(FreeGiB(1, 0), 12);
  view_.RemovePod("default", "p");
  EXPECT_EQ(FreeGiB(1, 0), 16);
}

TEST_F(ClusterViewTest, ABadAssignmentIsToldOnceAndTheFormerHoldStays) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0)});
  for (int i = 0; i < 3; ++i) SetPod({.uid = "u1", .node = "n1", .assignment = "v1;edited"});
  EXPECT_EQ(log_.lines.size(), 1u);
  EXPECT_EQ(view_.counts().bad_pods, 1u);
  EXPECT_EQ(FreeGiB(1, 0), 12);
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0, "2GiB")});
  EXPECT_EQ(view_.counts().bad_pods, 0u);
  EXPECT_EQ(FreeGiB(1, 0), 14);
}

TEST_F(ClusterViewTest, AWishEditedOnItsNodeDoesNotLoseThePodsPart) {
  SetNode(1, CardsText(1, 1));
  SetPod({.uid = "u1"});
  EXPECT_TRUE(Reserve("u1", 5));
  SetPod({.uid = "u1", .cores = 500, .node = "n1", .assignment = AssignmentText(1, 0)});
  EXPECT_EQ(view_.counts().bad_pods, 1u);
  EXPECT_EQ(view_.Expire(9), 0u);
  EXPECT_EQ(FreeGiB(1, 0), 12);
}

TEST_F(ClusterViewTest, ANodeWhoseCardsCannotBeReadKeepsThoseItHad) {
  SetNode(1, CardsText(1, 1));
  SetNode(1, "v1;nonsense");
  SetNode(1, "v1;nonsense");
  EXPECT_EQ(log_.lines.size(), 1u);
  EXPECT_EQ(view_.counts().bad_nodes, 1u);
  EXPECT_EQ(FreeGiB(1, 0), 16);
  view_.RemoveNode("n1");
  EXPECT_EQ(view_.counts().bad_nodes, 0u);
  EXPECT_FALSE(view_.ledger().FindNode("n1"));
}

TEST_F(ClusterViewTest, WithoutSomePodsTheirPartsAreFree) {
  SetNode(1, CardsText(1, 1));
  SetNode(2, CardsText(2, 1));
  SetPod({.uid = "u1", .node = "n1", .assignment = AssignmentText(1, 0)});
  SetPod({.name = "q", .uid = "u2", .node = "n1", .assignment = AssignmentText(1, 0)});
  const place::Ledger without = view_.Without("n1", {"u2"});
  EXPECT_EQ(without.card(*without.FindCard(CardOf(1, 0))).memory_free, int64_t{12} << 30);
  EXPECT_FALSE(without.FindNode("n2"));
  EXPECT_EQ(FreeGiB(1, 0), 8);
}

TEST_F(ClusterViewTest, APodKeepsItsCardsWhateverSomebodyWritesLater) {
  SetNode(1, CardsText(1, 2));
  SetPod({.uid = "u", .node = "n1", .assignment = AssignmentText(1, 0)});
  SetPod({.uid = "u", .node = "n1", .assignment = AssignmentText(1, 1)});
  EXPECT_EQ(FreeGiB(1, 0), 12);
  EXPECT_EQ(FreeGiB(1, 1), 16);
  EXPECT_EQ(view_.counts().bad_pods, 1u);
  SetPod({.uid = "u", .node = "n1", .assignment = AssignmentText(1, 0, "2GiB")});
  EXPECT_EQ(FreeGiB(1, 0), 14);
  EXPECT_EQ(view_.counts().bad_pods, 0u);
}

}  // namespace
}  // namespace warpshare::cluster

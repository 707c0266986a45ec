#include "cluster/extender/preempt.h"

#include <gtest/gtest.h>

#include <set>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "pods/pod_json.h"
#include "policy/place/grant.h"

namespace warpshare::cluster {
namespace {

// One namespace may have nothing unless certain pods are gone.
struct Books final : HoldBooks {
  bool Limits(const std::string&) const override { return !needs_gone.empty(); }
  std::optional<Error> Check(const Entry&,
                             const std::unordered_set<std::string>& gone) const override {
    if (gone.contains(needs_gone)) return std::nullopt;
    return Error{Errc::kUnavailable, "quota: no"};
  }
  Result<void> Reserve(const Entry&) override { return {}; }
  void Count(const Entry&) override {}
  void CountAgain(const std::string&, const place::PodHold&, const place::Ledger&) override {}
  void Release(const std::string&) override {}

  std::string needs_gone;
};

class PreemptTest : public testing::Test {
 protected:
  using Uids = std::set<std::string>;

  PreemptTest() {
    for (const uint16_t node : {1, 2}) SetNode(node);
  }

  void SetNode(uint16_t node, const std::string& lingering = "") {
    view_.SetNode(
        NodeViewOf(json::Document::Parse(NodeObject(node, CardsText(node, 2), lingering))->root()));
  }

  void SetPod(const PodWords& words) {
    view_.SetPod(pods::PodViewOf(json::Document::Parse(PodObject(words))->root()), false);
  }
  // A pod whose name is its uid, on a card of n1.
  void Run(const std::string& uid, uint8_t card, int gib, int priority = 0) {
    SetPod(Running(uid, card, gib, priority));
  }
  void Delete(const std::string& uid, uint8_t card, int gib) {
    PodWords words = Running(uid, card, gib, 0);
    words.is_leaving = true;
    SetPod(words);
  }
  static PodWords Running(const std::string& uid, uint8_t card, int gib, int priority) {
    return {.name = uid,
            .uid = uid,
            .memory_gib = gib,
            .node = "n1",
            .assignment = AssignmentText(1, card, std::to_string(gib) + "GiB"),
            .priority = priority,
            .is_running = true};
  }

  // What is answered for a pod of priority 100.
  json::Document Answer(const std::string& nodes, int gib, int cards) {
    const std::string body =
        R"({"Pod":)" +
        PodObject({.uid = "wants", .cards = cards, .memory_gib = gib, .priority = 100}) +
        R"(,"NodeNameToMetaVictims":)" + nodes + "}";
    const auto document = json::Document::Parse(body);
    const auto asked = ReadPreemptArgs(document->root());
    return std::move(*json::Document::Parse(AnswerPreempt(view_, *asked, cleared_)));
  }
  // Who goes of each node that is left.
  std::map<std::string, Uids> Preempt(const std::string& nodes, int gib = 8, int cards = 1) {
    const json::Document answer = Answer(nodes, gib, cards);
    std::map<std::string, Uids> gone;
    for (const auto& [node, victims] : answer["NodeNameToMetaVictims"].members())
      for (const json::View pod : victims["Pods"].items())
        gone[std::string(node)].emplace(pod["UID"].StringOr(""));
    return gone;
  }
  int64_t Violations(const std::string& nodes, int gib) {
    return Answer(nodes, gib, 1)["NodeNameToMetaVictims"]["n1"]["NumPDBViolations"].IntegerOr(-1);
  }

  KeptLog log_;
  Books books_;
  ClusterView view_{log_, &books_};
  std::string cleared_;  // where room was made for the pod
};

using Nodes = std::map<std::string, std::set<std::string>>;

TEST_F(PreemptTest, NodesWhereTheVictimsMakeRoomStayAsTheyAre) {
  Run("large", 0, 12);
  Run("small", 0, 1);
  Run("other", 1, 16, 200);
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "large"}], "NumPDBViolations": 3}})"),
            (Nodes{{"n1", {"large"}}}));
}

TEST_F(PreemptTest, VictimsOfAnotherCardAreNotEnoughAndTheFewestAreAdded) {
  Run("a", 0, 6);
  Run("b", 0, 6);
  Run("c", 1, 6);
  Run("d", 1, 6);
  Run("e", 1, 4);
  // As a sum of the node, what is left with "a" gone would do; on one card it needs "b" as well.
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "a"}]}})", 14), (Nodes{{"n1", {"a", "b"}}}));
}

TEST_F(PreemptTest, NobodyElseGoesWhileItsVictimsAreSeenToLeave) {
  Run("a", 0, 12);
  Run("b", 1, 12);
  const std::string b_goes = R"({"n1": {"Pods": [{"UID": "b"}]}})";
  cleared_ = "n1";
  EXPECT_EQ(Preempt(b_goes), (Nodes{{"n1", {"b"}}}));  // nobody leaves
  Delete("a", 0, 12);
  EXPECT_EQ(Preempt(b_goes), Nodes{});
  EXPECT_EQ(Preempt(b_goes, 16, 2), (Nodes{{"n1", {"a", "b"}}}));  // "a" alone would not do
  cleared_ = "n2";
  EXPECT_EQ(Preempt(b_goes), (Nodes{{"n1", {"b"}}}));
  cleared_ = "";
  EXPECT_EQ(Preempt(b_goes), (Nodes{{"n1", {"b"}}}));
}

TEST_F(PreemptTest, VictimsThatAreGoneAndAwaitedAreSeenToLeaveToo) {
  SetNode(1, "v1;n1");
  Run("a", 0, 12);
  Run("b", 1, 12);
  view_.RemovePod("default", "a");
  cleared_ = "n1";
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "b"}]}})"), Nodes{});
  (void)view_.Expire(1);
  (void)view_.Expire(UINT64_MAX);
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "b"}]}})"), (Nodes{{"n1", {"b"}}}));
}

TEST_F(PreemptTest, EachVictimThatIsAddedMayBeProtected) {
  Run("a", 0, 6);
  Run("b", 0, 6);
  Run("c", 1, 16, 200);
  const std::string named = R"({"n1": {"Pods": [{"UID": "a"}], "NumPDBViolations": 1}})";
  EXPECT_EQ(Violations(named, 8), 1);
  EXPECT_EQ(Violations(named, 14), 2);
}

TEST_F(PreemptTest, WhoHasMorePriorityIsSpared) {
  Run("low", 0, 16, 1);
  Run("middle", 1, 16, 50);
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "without-cards"}]}})"),
            (Nodes{{"n1", {"low", "without-cards"}}}));
}

TEST_F(PreemptTest, NobodyOfTheSamePriorityIsAdded) {
  Run("equal", 0, 16, 100);
  Run("higher", 1, 16, 200);
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "without-cards"}]}})"), Nodes{});
}

// kube-scheduler knows no pod of that uid, and would drive out nobody at all.
TEST_F(PreemptTest, WhatIsLeftOfPodsThatAreGoneIsNoVictim) {
  SetNode(1, "v1;n1;was=" + CardOf(1, 0).Text() + ":16GiB:0:weighted");
  Run("here", 1, 16);
  const std::string nobody = R"({"n1": {"Pods": []}})";
  EXPECT_EQ(Preempt(nobody), (Nodes{{"n1", {"here"}}}));
  view_.RemovePod("default", "here");  // and the node has not said whether its processes are, too
  EXPECT_EQ(Preempt(nobody), Nodes{});
}

TEST_F(PreemptTest, APodThatIsOnItsWayToTheNodeIsNoVictim) {
  Run("here", 0, 16, 1);
  SetPod({.name = "comes", .uid = "comes", .memory_gib = 16});
  const request::Request* waits = view_.FindWaiting("comes");
  ASSERT_NE(waits, nullptr);
  const request::Assignment way{
      .node = "n1",
      .containers = {{.container = "main", .cards = {{.uuid = CardOf(1, 1), .memory = 16_GiB}}}}};
  ASSERT_TRUE(view_.Reserve(*waits, place::HoldOf(*waits, way), UINT64_MAX));
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": []}})"), (Nodes{{"n1", {"here"}}}));
}

TEST_F(PreemptTest, APodOfTwoCardsTakesVictimsOfBoth) {
  Run("a", 0, 12);
  Run("b", 1, 12);
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "a"}]}})", 8, 2), (Nodes{{"n1", {"a", "b"}}}));
}

TEST_F(PreemptTest, ANodeThatIsTooSmallWhoeverGoesIsLeftOut) {
  Run("a", 0, 12);
  EXPECT_EQ(
      Preempt(R"({"n1": {"Pods": [{"UID": "a"}]}, "unheard-of": {"Pods": [{"UID": "b"}]}})", 17),
      Nodes{});
}

TEST_F(PreemptTest, NobodyGoesForAPodThatIsOverItsQuota) {
  Run("a", 0, 12);
  Run("b", 1, 12);
  books_.needs_gone = "b";
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "a"}]}})"), Nodes{});
  EXPECT_EQ(Preempt(R"({"n1": {"Pods": [{"UID": "b"}]}})"), (Nodes{{"n1", {"b"}}}));
}

TEST_F(PreemptTest, AsksAreAllThatItIs) {
  Run("a", 0, 12);
  Run("b", 1, 12);
  Preempt(R"({"n1": {"Pods": [{"UID": "a"}]}})");
  EXPECT_EQ(view_.ledger().card(*view_.ledger().FindCard(CardOf(1, 0))).memory_free,
            int64_t{4} << 30);
}

}  // namespace
}  // namespace warpshare::cluster

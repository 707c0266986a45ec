#include "cluster/nominator/nominator.h"

#include <gtest/gtest.h>

#include <memory>

#include "cluster/inventory/cluster_feed.h"
#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "platform/clock/fake/fake_clock.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::cluster {
namespace {

using place::NodeId;

class NominatorTest : public testing::Test {
 protected:
  static constexpr const char* kPatch = "PATCH /api/v1/pods/status";

  // Two nodes of one card, 16 GiB each.
  NominatorTest() {
    for (uint16_t node = 1; node <= 2; ++node)
      api_.Create(kube::kNodes, "", NodeObject(node, CardsText(node, 1)));
    feed_.Start();
    EXPECT_TRUE(Until([&] { return feed_.is_synced(); }));
  }
  bool Until(const std::function<bool()>& done) {
    return loop_.RunUntil(done, std::chrono::seconds(10));
  }
  // Waits until the view has it too.
  void Create(const PodWords& words) {
    const size_t before = view_.counts().pods;
    api_.Create(kube::kPods, "default", PodObject(words));
    ASSERT_TRUE(Until([&] { return view_.counts().pods > before; }));
  }
  std::string Pod(const std::string& name) const {
    return api_.Get(kube::kPods, {"default", name});
  }
  std::string NominatedOf(const std::string& name) const {
    const auto pod = json::Document::Parse(Pod(name));
    return std::string((*pod)["status"]["nominatedNodeName"].StringOr(""));
  }
  std::vector<NodeId> Nodes(std::initializer_list<const char*> names) const {
    std::vector<NodeId> ids;
    for (const char* name : names) ids.push_back(*view_.ledger().FindNode(name));
    return ids;
  }
  std::string UidOf(const std::string& name) const {
    return std::string((*json::Document::Parse(Pod(name)))["metadata"]["uid"].StringOr(""));
  }
  void Ask(const std::string& name, std::initializer_list<const char*> names) {
    nominator_.NoteAsked(UidOf(name), Nodes(names));
  }
  // Whatever the loop had to do is done: the API server has answered what was asked before.
  void Settle() {
    bool answered = false;
    const http::Call call =
        client_->Get(kube::kPods, {"default", "nobody"}, [&](const auto&) { answered = true; });
    ASSERT_TRUE(Until([&] { return answered; }));
  }
  bool IsHeld(const std::string& name) const { return view_.IsReserved(UidOf(name)); }

  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  std::unique_ptr<kube::Client> client_ = *kube::Client::Make(loop_, {.config = api_.config()});
  platform::FakeClock clock_;
  KeptLog log_;
  ClusterView view_{log_};
  ClusterFeed feed_{*client_, view_, log_};
  const Nominator::Ports ports_{.view = view_, .client = *client_, .clock = clock_, .log = log_};
  // A part is one node, and for none is planning not worth it.
  Nominator nominator_{ports_, {.least_part = 1, .worth_planning = 0}};
};

TEST_F(NominatorTest, NamesNodesForThoseBehindTheOneThatWasAskedAbout) {
  for (const char* name : {"a", "b", "c", "d"}) Create({.name = name, .memory_gib = 10});
  Ask("a", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return !NominatedOf("d").empty(); }));
  // "b" is being asked about already; of the others each has a card to itself.
  EXPECT_EQ(NominatedOf("b"), "");
  EXPECT_NE(NominatedOf("c"), NominatedOf("d"));
  EXPECT_TRUE(IsHeld("c") && IsHeld("d"));
  EXPECT_EQ(nominator_.counts().made, 2u);
}

TEST_F(NominatorTest, KeepsToTheNodesThatKubeSchedulerFoundFitForSuchAPod) {
  for (const char* name : {"a", "b", "c", "d"}) Create({.name = name});
  Ask("a", {"n2"});
  ASSERT_TRUE(Until([&] { return !NominatedOf("d").empty(); }));
  EXPECT_EQ(NominatedOf("c"), "n2");
  EXPECT_EQ(NominatedOf("d"), "n2");
}

TEST_F(NominatorTest, WhatItNamedItselfTeachesItNothing) {
  for (const char* name : {"a", "b", "c", "d", "e"}) Create({.name = name, .memory_gib = 6});
  Ask("a", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return !NominatedOf("e").empty(); }));
  view_.DropReservation(UidOf("c"));  // as the extender does before it looks
  Ask("c", {NominatedOf("c").c_str()});
  EXPECT_EQ(nominator_.counts().used, 1u);
  for (const char* name : {"f", "g"}) Create({.name = name, .memory_gib = 15});
  Ask("b", {});
  Settle();
  EXPECT_EQ(NominatedOf("g"), "") << "no node was fit for b";
}

TEST_F(NominatorTest, NamesNothingForPodsOfAKindThatWasNotAskedAbout) {
  Create({.name = "a"});
  for (const char* name : {"b", "c"}) Create({.name = name});
  api_.Create(kube::kPods, "default",
              R"({"metadata":{"name":"z","namespace":"default"},"spec":{"nodeSelector":)"
              R"({"a":"b"},"containers":[{"name":"main","resources":{"limits":)"
              R"({"warpshare.io/gpu":"1"}}}]}})");
  ASSERT_TRUE(Until([&] { return view_.counts().waiting == 4; }));
  Ask("a", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return !NominatedOf("c").empty(); }));
  Settle();
  EXPECT_EQ(NominatedOf("z"), "");
}

TEST_F(NominatorTest, WhereNothingIsFreeNothingIsNamedNorLookedForAgain) {
  for (const char* name : {"a", "b", "c"}) Create({.name = name, .memory_gib = 17});
  Ask("a", {"n1", "n2"});
  Settle();
  EXPECT_EQ(nominator_.counts().made, 0u);
  EXPECT_EQ(api_.Asked(kPatch), 0u);
}

TEST_F(NominatorTest, WhoIsTriedWithoutAQuestionLosesWhatWasHeldForIt) {
  for (const char* name : {"a", "b", "c", "d"}) Create({.name = name});
  Ask("a", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return !NominatedOf("d").empty(); }));
  api_.Merge(kube::kPods, {"default", "c"},
             R"({"status":{"conditions":[{"type":"PodScheduled","reason":"Unschedulable"}]}})");
  ASSERT_TRUE(Until([&] { return !view_.waiting().IsNewcomer(UidOf("c")); }));
  Ask("b", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return !IsHeld("c"); }));
  EXPECT_TRUE(IsHeld("d"));
}

TEST_F(NominatorTest, APodThatChangedMeanwhileIsLeftAsItIs) {
  for (const char* name : {"a", "b", "c"}) Create({.name = name});
  api_.CutWatches();
  api_.Merge(kube::kPods, {"default", "c"}, R"({"metadata":{"labels":{"a":"b"}}})");
  Ask("a", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return api_.Asked(kPatch) == 1; }));
  Settle();
  EXPECT_EQ(NominatedOf("c"), "");
  EXPECT_FALSE(IsHeld("c"));
}

TEST_F(NominatorTest, RestsWhereItMayNot) {
  for (const char* name : {"a", "b", "c", "d"}) Create({.name = name});
  api_.FailNext(2, 403);
  Ask("a", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return api_.Asked(kPatch) == 2; }));
  Settle();
  EXPECT_FALSE(IsHeld("c") || IsHeld("d"));
  EXPECT_NE(log_.lines.back().find("may-not-nominate"), std::string::npos);
  for (const char* name : {"e", "f"}) Create({.name = name});
  Ask("b", {"n1", "n2"});
  Settle();
  EXPECT_EQ(nominator_.counts().made, 2u);
}

TEST_F(NominatorTest, AsksTheApiServerForAFewAtATime) {
  for (char name = 'a'; name < 'p'; ++name) Create({.name = std::string(1, name), .memory_gib = 1});
  api_.Hang(true);
  Ask("a", {"n1", "n2"});
  Ask("b", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return nominator_.counts().made == 8; }));
  api_.Hang(false);
  EXPECT_TRUE(Until([&] { return !NominatedOf("o").empty(); }));
}

TEST_F(NominatorTest, LeavesOutWhoIsAskedAboutBeforeTheApiServerAnswers) {
  for (char name = 'a'; name <= 'j'; ++name)
    Create({.name = std::string(1, name), .memory_gib = 1});
  api_.Hang(true);
  Ask("a", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return nominator_.counts().made == 8; }));
  for (const char* name : {"b", "c", "d", "e"}) Ask(name, {"n1", "n2"});
  api_.Hang(false);
  Settle();
  for (char name = 'k'; name <= 'r'; ++name)
    Create({.name = std::string(1, name), .memory_gib = 1});
  api_.Hang(true);
  Ask("f", {"n1", "n2"});  // g, h, i and j have their nodes, or had
  ASSERT_TRUE(Until([&] { return IsHeld("r"); }));
  EXPECT_FALSE(IsHeld("k") || IsHeld("l") || IsHeld("m")) << "four were asked about during a call";
  EXPECT_TRUE(IsHeld("n"));
}

TEST_F(NominatorTest, LooksPastWhatIsHeldByPlansAlone) {
  for (const char* name : {"a", "b", "c", "d"}) Create({.name = name, .memory_gib = 10});
  Ask("a", {"n1", "n2"});
  ASSERT_TRUE(Until([&] { return !NominatedOf("d").empty(); }));
  ASSERT_TRUE(nominator_.HoldsAnything());
  nominator_.LookPast([&] {
    EXPECT_FALSE(IsHeld("c") || IsHeld("d"));
    const place::PodHold hold{.node = "n1",
                              .cards = {{.uuid = CardOf(1, 0), .hold = {.memory = 10LL << 30}}}};
    EXPECT_TRUE(view_.Reserve(*view_.FindWaiting(UidOf("b")), hold, 1));
  });
  EXPECT_TRUE(IsHeld("b"));
  EXPECT_NE(IsHeld("c"), IsHeld("d")) << "one of them had n1";
}

TEST_F(NominatorTest, PlansNothingWhereKubeSchedulerLooksAtFewNodes) {
  for (const char* name : {"a", "b", "c", "d"}) Create({.name = name});
  Nominator nominator(ports_, {.worth_planning = 3});
  nominator.NoteAsked(UidOf("a"), Nodes({"n1", "n2"}));
  Settle();
  EXPECT_EQ(nominator.counts().made, 0u);
}

TEST_F(NominatorTest, NamesANodeThatKubeSchedulerHasNotLookedAt) {
  Create({.name = "a"});
  Ask("a", {"n1"});
  ASSERT_TRUE(nominator_.NameElsewhere(UidOf("a"), Nodes({"n1"})));
  EXPECT_TRUE(IsHeld("a"));
  // kube-scheduler writes its condition before us.
  api_.Merge(kube::kPods, {"default", "a"},
             R"({"status":{"conditions":[{"type":"PodScheduled","reason":"SchedulerError"}]}})");
  ASSERT_TRUE(Until([&] { return NominatedOf("a") == "n2"; }));
  Settle();
  EXPECT_TRUE(IsHeld("a")) << "it is no newcomer, and is looked at again";
  Ask("a", {"n2"});
  EXPECT_EQ(nominator_.counts().used, 1u);
}

TEST_F(NominatorTest, NamesNoneWhereAllWereLookedAtOrNothingIsFree) {
  Create({.name = "a"});
  Create({.name = "b", .memory_gib = 17});
  Nominator nominator(ports_, {.least_part = 2});
  EXPECT_FALSE(nominator.NameElsewhere(UidOf("a"), Nodes({"n1"}))) << "a part has two or more";
  EXPECT_FALSE(nominator_.NameElsewhere(UidOf("a"), Nodes({"n1", "n2"})));
  EXPECT_FALSE(nominator_.NameElsewhere(UidOf("b"), Nodes({"n1"})));
  EXPECT_FALSE(nominator_.NameElsewhere("nobody", Nodes({"n1"})));
  EXPECT_FALSE(IsHeld("a") || IsHeld("b"));
}

TEST_F(NominatorTest, WhoMayDriveOthersOutLooksOnUntilItHasSeenAllNodes) {
  Create({.name = "low", .memory_gib = 17});
  Create({.name = "high", .memory_gib = 17, .priority = 5});
  EXPECT_FALSE(nominator_.NameElsewhere(UidOf("low"), Nodes({"n1"})));
  EXPECT_FALSE(nominator_.NameElsewhere(UidOf("high"), Nodes({"n1", "n2"}))) << "all of them";
  EXPECT_EQ(nominator_.unseen(), 0u);
  for (int look = 0; look < 10; ++look)
    EXPECT_FALSE(nominator_.NameElsewhere(UidOf("high"), Nodes({"n1"})));
  EXPECT_EQ(nominator_.unseen(), 3u) << "two parts, and one for others' looks between";
}

TEST_F(NominatorTest, APodThatIsNotKnownYetIsTooEarlyAFewTimes) {
  Create({.name = "known"});
  EXPECT_FALSE(nominator_.IsTooEarly(UidOf("known"), 1));
  EXPECT_FALSE(nominator_.IsTooEarly("new", 2)) << "all nodes were looked at";
  for (int time = 0; time < 3; ++time) EXPECT_TRUE(nominator_.IsTooEarly("new", 1));
  EXPECT_FALSE(nominator_.IsTooEarly("new", 1));
}

TEST_F(NominatorTest, NamesNoNodeAgainThatKubeSchedulerRefused) {
  Create({.name = "a"});
  ASSERT_TRUE(nominator_.NameElsewhere(UidOf("a"), Nodes({"n1"})));
  view_.DropReservation(UidOf("a"));  // as the extender does before it looks
  Ask("a", {"n1"});
  EXPECT_FALSE(nominator_.NameElsewhere(UidOf("a"), Nodes({"n1"})));
}

}  // namespace
}  // namespace warpshare::cluster

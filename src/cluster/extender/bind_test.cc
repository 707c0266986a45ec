#include "cluster/extender/testing/extender_fixture.h"

namespace warpshare::cluster {
namespace {

using BindTest = ExtenderTest;

constexpr char kBindings[] = "POST /api/v1/pods/binding";

TEST_F(BindTest, WritesOneBindingThatBringsTheAssignment) {
  CreatePod({});
  EXPECT_EQ(Ask("bind", BindBody("p", "n1")).Error(), "");
  EXPECT_EQ(api_.Asked(kBindings), 1u);
  EXPECT_EQ(api_.Asked("GET /api/v1/pods"), 1u);  // the watch's own list
  EXPECT_EQ(AssignmentOf("p"), AssignmentText(1, 0));
  EXPECT_EQ(process_->FreeGiB(1, 0), 12);
  ASSERT_TRUE(Until([&] { return process_->view.FindWaiting(UidOf("p")) == nullptr; }));
  EXPECT_EQ(process_->FreeGiB(1, 0), 12);
}

TEST_F(BindTest, OfTwoPodsThatRaceForTheLastCardOneWins) {
  CreatePod({.memory_gib = 12});
  CreatePod({.name = "q", .memory_gib = 12});
  Answer first, second;
  Post("bind", BindBody("p", "n1"), first);
  Post("bind", BindBody("q", "n1"), second);
  ASSERT_TRUE(Until([&] { return first.came && second.came; }));
  EXPECT_NE(first.Error().empty(), second.Error().empty());
  const std::string lost = first.Error() + second.Error();
  EXPECT_TRUE(lost.starts_with("no_memory: ")) << lost;
  EXPECT_EQ(api_.Asked(kBindings), 1u);
  EXPECT_EQ(process_->FreeGiB(1, 0), 4);
}

TEST_F(BindTest, TheApiServersNoGivesThePartBackAtOnce) {
  CreatePod({});
  api_.FailNext(1, 409);
  EXPECT_NE(Ask("bind", BindBody("p", "n1")).Error(), "");
  EXPECT_EQ(process_->FreeGiB(1, 0), 16);
  EXPECT_EQ(Ask("bind", BindBody("p", "n2")).Error(), "");
}

TEST_F(BindTest, WhatBecameOfACallThatFailedIsInDoubtForAWhile) {
  CreatePod({});
  api_.FailNext(1, 500);
  EXPECT_NE(Ask("bind", BindBody("p", "n1")).Error(), "");
  EXPECT_EQ(process_->FreeGiB(1, 0), 12);
  process_->clock.Sleep(std::chrono::seconds(5));
  EXPECT_EQ(process_->Expire(), 1u);
  EXPECT_EQ(process_->FreeGiB(1, 0), 16);
}

TEST_F(BindTest, ThePodItselfNeedNotWaitForTheEndOfADoubt) {
  CreatePod({.memory_gib = 16});
  api_.FailNext(1, 500);
  Ask("bind", BindBody("p", "n1"));
  const Answer again = Ask("filter", NodesBody(PodText("p"), {"n1"}));
  EXPECT_NE(again.body.find(R"("NodeNames":["n1"])"), std::string::npos) << again.body;
  EXPECT_EQ(Ask("bind", BindBody("p", "n1")).Error(), "");
}

TEST_F(BindTest, ABindingUnderWayKeepsItsPartHoweverLongItTakes) {
  CreatePod({.memory_gib = 12});
  CreatePod({.name = "q", .memory_gib = 12});
  api_.Hang(true);
  Answer first;
  Post("bind", BindBody("p", "n1"), first);
  ASSERT_TRUE(Until([&] { return api_.Asked(kBindings) == 1; }));
  process_->clock.Sleep(std::chrono::seconds(10));
  process_->Expire();
  EXPECT_TRUE(Ask("bind", BindBody("p", "n2")).Error().starts_with("the pod is being bound"));
  EXPECT_TRUE(Ask("bind", BindBody("q", "n1")).Error().starts_with("no_memory"));
  api_.Hang(false);
}

TEST_F(BindTest, APodThatTheWatchHasNotShownIsLookedUp) {
  CreatePod({});
  const std::string body = BindBody("p", "n1");
  process_->view.RemovePod("default", "p");
  EXPECT_EQ(Ask("bind", body).Error(), "");
  EXPECT_EQ(AssignmentOf("p"), AssignmentText(1, 0));
  ASSERT_TRUE(Until([&] { return process_->view.counts().reserved == 0; }));
  EXPECT_EQ(process_->FreeGiB(1, 0), 12);
}

TEST_F(BindTest, ADeletedPodIsNotBound) {
  CreatePod({});
  const std::string body = BindBody("p", "n1");
  api_.Delete(kube::kPods, {"default", "p"});
  EXPECT_NE(Ask("bind", body).Error(), "");
  ASSERT_TRUE(Until([&] { return process_->view.counts().pods == 0; }));
  EXPECT_EQ(process_->FreeGiB(1, 0), 16);
  EXPECT_EQ(Ask("bind", body).Error().empty(), false);
}

TEST_F(BindTest, APodMadeAnewUnderTheNameIsNotBoundInItsPlace) {
  CreatePod({});
  const std::string body = BindBody("p", "n1");
  api_.Delete(kube::kPods, {"default", "p"});
  api_.Create(kube::kPods, "default", PodObject({}));
  EXPECT_NE(Ask("bind", body).Error(), "");
  EXPECT_EQ(AssignmentOf("p"), "");
}

TEST_F(BindTest, PodsWithoutCardsAreBoundWithoutAssignment) {
  CreatePod({.cards = 0});
  EXPECT_EQ(Ask("bind", BindBody("p", "n1")).Error(), "");
  EXPECT_EQ(AssignmentOf("p"), "");
  EXPECT_NE(PodText("p").find(R"("nodeName":"n1")"), std::string::npos);
}

TEST_F(BindTest, AProcessStartedAnewComesToTheSameLedger) {
  for (const char* name : {"a", "b", "c"}) {
    CreatePod({.name = name, .memory_gib = 3, .cores = 10});
    Ask("bind", BindBody(name, name[0] == 'c' ? "n2" : "n1"));
  }
  CreatePod({.name = "waits"});
  Ask("prioritize", NodesBody(PodText("waits"), {"n1"}));
  process_->view.GiveBack(UidOf("waits"));
  const auto before = std::move(process_);
  Start();
  for (const uint16_t node : {1, 2}) {
    const auto& was = before->view.ledger();
    const auto& is = process_->view.ledger();
    const place::Card& old_card = was.card(*was.FindCard(CardOf(node, 0)));
    const place::Card& new_card = is.card(*is.FindCard(CardOf(node, 0)));
    EXPECT_EQ(old_card.memory_free, new_card.memory_free);
    EXPECT_EQ(old_card.cores_free, new_card.cores_free);
    EXPECT_EQ(old_card.tenants, new_card.tenants);
  }
  EXPECT_EQ(process_->FreeGiB(1, 0), 10);
}

TEST_F(BindTest, AProcessThatDiesWithACallUnderWayLosesNothing) {
  CreatePod({.memory_gib = 12});
  CreatePod({.name = "q", .memory_gib = 12});
  Answer first;
  Post("bind", BindBody("p", "n1"), first);
  ASSERT_TRUE(Until([&] { return api_.Asked(kBindings) == 1; }));
  process_.reset();
  Start();
  EXPECT_EQ(process_->FreeGiB(1, 0), 4);
  EXPECT_TRUE(Ask("bind", BindBody("q", "n1")).Error().starts_with("no_memory"));
}

TEST_F(BindTest, WhoLeadsNoMoreLeavesItsCallsInDoubt) {
  CreatePod({});
  api_.Hang(true);
  Answer answer;
  Post("bind", BindBody("p", "n1"), answer);
  ASSERT_TRUE(Until([&] { return process_->extender.binding() == 1; }));
  process_->extender.Serve(false);
  ASSERT_TRUE(Until([&] { return answer.came; }));
  EXPECT_EQ(answer.status, 500u);
  EXPECT_EQ(process_->FreeGiB(1, 0), 12);
  process_->clock.Sleep(std::chrono::seconds(5));
  EXPECT_EQ(process_->Expire(), 1u);
  EXPECT_EQ(Ask("bind", BindBody("p", "n1")).status, 503u);
}

TEST_F(BindTest, NobodyBindsWhoLeadsNoMoreWhenThePodIsThere) {
  CreatePod({});
  const std::string body = BindBody("p", "n1");
  process_->view.RemovePod("default", "p");  // as before the watch has told of it
  Answer answer;
  Post("bind", body, answer);
  ASSERT_TRUE(Until([&] { return api_.Asked("GET /api/v1/pods") == 2; }));
  process_->leads = false;
  ASSERT_TRUE(Until([&] { return answer.came; }));
  EXPECT_TRUE(answer.Error().starts_with("not leading any more")) << answer.Error();
  EXPECT_EQ(api_.Asked(kBindings), 0u);
  EXPECT_EQ(Ask("filter", NodesBody(PodText("p"), {"n1"})).status, 503u);
}

}  // namespace
}  // namespace warpshare::cluster

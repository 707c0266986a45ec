#include "cluster/extender/extender.h"

#include "cluster/extender/testing/extender_fixture.h"

namespace warpshare::cluster {
namespace {

TEST_F(ExtenderTest, BodiesThatMakeNoSenseAreRefusedWithTheReason) {
  const std::pair<const char*, const char*> bad[] = {
      {"filter", ""},
      {"filter", "{"},
      {"filter", "[]"},
      {"filter", R"({"NodeNames":["n1"]})"},
      {"filter", R"({"Pod":{},"NodeNames":[1]})"},
      {"filter", R"({"Pod":{}})"},
      {"filter", R"({"Pod":{},"Nodes":{"items":[{}]}})"},
      {"prioritize", R"({"Pod":"p","NodeNames":[]})"},
      {"bind", R"({"PodName":"p","PodNamespace":"d","PodUID":"u"})"},
      {"bind", R"({"PodName":"p","PodNamespace":"d","PodUID":"","Node":"n1"})"},
      {"preempt", R"({"Pod":{},"NodeNameToMetaVictims":{"n1":{"Pods":[{}]}}})"},
      {"preempt", R"({"Pod":{},"NodeNameToMetaVictims":{"n1":{"Pods":7}}})"},
      {"preempt", R"({"Pod":{}})"},
  };
  for (const auto& [verb, body] : bad) {
    const Answer answer = Ask(verb, body);
    EXPECT_EQ(answer.status, 400u) << verb << ' ' << body;
    EXPECT_FALSE(answer.Error().empty()) << verb << ' ' << body;
  }
  EXPECT_EQ(process_->view.counts().reserved, 0u);
}

TEST_F(ExtenderTest, OtherMethodsAndVerbsAreRefused) {
  EXPECT_EQ(Ask("filter", "", "GET").status, 405u);
  EXPECT_EQ(Ask("filters", "{}").status, 404u);
  EXPECT_EQ(Ask("", "{}").status, 404u);
}

TEST_F(ExtenderTest, AnswersOnlyWhileItServes) {
  CreatePod({});
  const std::string body = NodesBody(PodText("p"), {"n1"});
  process_->extender.Serve(false);
  EXPECT_EQ(Ask("filter", body).status, 503u);
  process_->extender.Serve(true);
  EXPECT_EQ(Ask("filter", body).status, 200u);
}

TEST_F(ExtenderTest, ABodyNestedWithoutEndIsRefused) {
  EXPECT_EQ(Ask("filter", std::string(100'000, '[')).status, 400u);
}

TEST_F(ExtenderTest, WhereAnotherNodeIsNamedThePodIsNotSaidToFitNowhere) {
  const std::string uid = CreatePod({.memory_gib = 17});
  process_->foresight.knows_another = true;
  const Answer answer = Ask("filter", NodesBody(PodText("p"), {"n1"}));
  EXPECT_EQ(answer.status, 200u);
  EXPECT_NE(answer.Error().find("nominatedNodeName"), std::string::npos) << answer.body;
  EXPECT_EQ(process_->foresight.asked_for, uid);
  EXPECT_TRUE(process_->extender.stats().unplaced.empty());
}

TEST_F(ExtenderTest, APodThatIsNotKnownYetIsNotSaidToFitNowhereForOnePart) {
  const std::string unknown = PodObject({.name = "x", .uid = "x", .memory_gib = 17});
  EXPECT_EQ(Ask("filter", NodesBody(unknown, {"n1", "n2"})).Error(), "");
  process_->foresight.least_part = 2;
  EXPECT_EQ(Ask("filter", NodesBody(unknown, {"n1"})).Error(), "");
  EXPECT_NE(Ask("filter", NodesBody(unknown, {"n1", "n2"})).Error(), "");
}

TEST_F(ExtenderTest, NoOtherNodeIsLookedForWhereThePodFitsOrIsNotKnown) {
  CreatePod({});
  process_->foresight.knows_another = true;
  EXPECT_EQ(Ask("filter", NodesBody(PodText("p"), {"n1"})).Error(), "");
  EXPECT_EQ(Ask("filter", NodesBody(PodObject({.name = "x", .uid = "x", .memory_gib = 17}), {"n1"}))
                .Error(),
            "");
  EXPECT_EQ(process_->foresight.asked_for, "");
}

// A pod of priority 100 for which "low" was driven off n1, and another low one on n2.
TEST_F(ExtenderTest, NobodyElseIsDrivenOutOnlyWhereKubeSchedulerWouldHaveTheClearedNode) {
  CreatePod({.name = "low",
             .memory_gib = 12,
             .node = "n1",
             .assignment = AssignmentText(1, 0, "12GiB"),
             .is_running = true,
             .is_leaving = true});
  CreatePod({.name = "other",
             .memory_gib = 12,
             .node = "n2",
             .assignment = AssignmentText(2, 0, "12GiB"),
             .is_running = true});
  const std::string high =
      PodObject({.name = "h", .uid = "h", .memory_gib = 8, .priority = 100, .nominated = "n1"});
  const std::string others = R"({"Pod":)" + high +
                             R"(,"NodeNameToMetaVictims":{"n2":{"Pods":[{"UID":")" +
                             UidOf("other") + R"("}]}}})";
  const auto are_driven_out = [&] {
    return Ask("preempt", others).body.find("n2") != std::string::npos;
  };
  EXPECT_TRUE(are_driven_out());  // kube-scheduler has other rules against n1
  (void)Ask("filter", NodesBody(high, {"n1", "n2"}));
  EXPECT_FALSE(are_driven_out());
  EXPECT_TRUE(are_driven_out());  // it was not shown n1 this time
  (void)Ask("filter", NodesBody(high, {"n2"}));
  EXPECT_TRUE(are_driven_out());
}

}  // namespace
}  // namespace warpshare::cluster

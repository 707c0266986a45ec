#include "cluster/service/resizer.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "platform/clock/fake/fake_clock.h"
#include "platform/kube/fake/fake_api_server.h"
#include "pods/pod_json.h"

namespace warpshare::cluster {
namespace {

using namespace std::chrono_literals;

const kube::ObjectName kPod{.space = "default", .name = "p"};

// Pods and a card of 16 GiB; what the API server has is told to the view when the test says so.
class ResizerTest : public testing::Test {
 protected:
  ResizerTest() {
    view_.SetNode(NodeViewOf(json::Document::Parse(NodeObject(1, CardsText(1, 1)))->root()));
    clock_.Sleep(100s);
    AddPod("p", "u1");
  }
  void AddPod(const std::string& name, const std::string& uid) {
    api_.Create(kube::kPods, "default",
                PodObject({.name = name, .node = "n1", .assignment = AssignmentText(1, 0)}));
    api_.Merge(kube::kPods, {"default", name}, R"({"metadata":{"uid":")" + uid + R"("}})");
    Show(name);
  }
  void Show(const std::string& name = "p") {
    const auto pod = json::Document::Parse(api_.Get(kube::kPods, {"default", name}));
    view_.SetPod(pods::PodViewOf(pod->root()), pods::HasEnded(pod->root()));
  }
  void Ask(const std::string& resize) {
    Change(abi::kAnnotationResize, resize);
    Show();
  }
  void Change(const std::string& annotation, const std::string& text) {
    api_.Merge(kube::kPods, kPod,
               R"({"metadata":{"annotations":{")" + annotation + R"(":")" + text + R"("}}})");
  }
  std::string Assignment() {
    const auto pod = json::Document::Parse(api_.Get(kube::kPods, kPod));
    return std::string((*pod)["metadata"]["annotations"][abi::kAnnotationAssignment].StringOr(""));
  }
  int64_t FreeGiB() const {
    return view_.ledger().card(*view_.ledger().FindCard(CardOf(1, 0))).memory_free >> 30;
  }
  // Until so many patches of pods were answered.
  bool IsPatched(size_t times) {
    return loop_.RunUntil(
        [&] { return api_.Asked("PATCH /api/v1/pods") == times && log_.lines.size() >= times; },
        10s);
  }
  bool IsLogged(const std::string& text) const {
    for (const std::string& line : log_.lines)
      if (line.find(text) != std::string::npos) return true;
    return false;
  }

  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  std::unique_ptr<kube::Client> client_ = *kube::Client::Make(loop_, {.config = api_.config()});
  platform::FakeClock clock_;
  KeptLog log_;
  ClusterView view_{log_};
  Resizer resizer_{{.view = view_, .client = *client_, .clock = clock_, .log = log_}};
};

TEST_F(ResizerTest, LeavesPodsAloneThatHaveWhatTheyAskFor) {
  resizer_.Look();
  EXPECT_TRUE(view_.resizes().empty());
}

TEST_F(ResizerTest, WritesAGrownAssignmentAndHoldsTheRoomFromTheFirstMoment) {
  Ask("memory=6GiB");
  resizer_.Look();
  EXPECT_EQ(FreeGiB(), 10);
  Show();
  EXPECT_EQ(FreeGiB(), 10) << "the watch may tell of the pod as it was";
  ASSERT_TRUE(IsPatched(1));
  EXPECT_EQ(Assignment(), AssignmentText(1, 0, "6GiB"));
  resizer_.Look();
  Show();
  EXPECT_EQ(FreeGiB(), 10);
  EXPECT_TRUE(view_.resizes().empty());
  EXPECT_EQ(api_.Asked("PATCH /api/v1/pods"), 1u);
}

TEST_F(ResizerTest, LessIsGivenBackWhenItIsWritten) {
  Ask("memory=2GiB");
  resizer_.Look();
  EXPECT_EQ(FreeGiB(), 12);
  ASSERT_TRUE(IsPatched(1));
  Show();
  EXPECT_EQ(FreeGiB(), 14);
  EXPECT_EQ(view_.freed().count, 2u) << "others may wait for it";
}

TEST_F(ResizerTest, WhatFindsNoRoomChangesNothingUntilThereIsSome) {
  AddPod("q", "u2");
  Ask("memory=14GiB");
  resizer_.Look();
  EXPECT_EQ(FreeGiB(), 8);
  EXPECT_TRUE(IsLogged("8GiB and 100% of its time left, and the pod asks for 10GiB"));
  const size_t lines = log_.lines.size();
  resizer_.Look();
  clock_.Sleep(61s);
  resizer_.Look();
  EXPECT_EQ(log_.lines.size(), lines) << "a reason is said once";
  view_.RemovePod("default", "q");
  resizer_.Look();
  ASSERT_TRUE(IsPatched(1));
  EXPECT_EQ(Assignment(), AssignmentText(1, 0, "14GiB"));
}

TEST_F(ResizerTest, AWishThatIsTakenBackGivesItsRoomBack) {
  Ask("memory=6GiB");
  api_.FailNext(1, 409);
  resizer_.Look();
  ASSERT_TRUE(loop_.RunUntil([&] { return api_.Asked("PATCH /api/v1/pods") == 1; }, 10s));
  EXPECT_EQ(FreeGiB(), 10);
  Ask("memory=4GiB");
  EXPECT_EQ(FreeGiB(), 12);
  EXPECT_TRUE(view_.resizes().empty());
}

TEST_F(ResizerTest, AWriteThatIsRefusedGivesItsRoomBackAndIsTriedAgain) {
  Ask("memory=6GiB");
  api_.FailNext(1, 403);
  resizer_.Look();
  ASSERT_TRUE(IsPatched(1));
  EXPECT_EQ(FreeGiB(), 12);
  resizer_.Look();
  EXPECT_EQ(api_.Asked("PATCH /api/v1/pods"), 1u);
  clock_.Sleep(2s);
  resizer_.Look();
  ASSERT_TRUE(IsPatched(2));
  EXPECT_EQ(Assignment(), AssignmentText(1, 0, "6GiB"));
}

TEST_F(ResizerTest, ItOverwritesNobodysChange) {
  Ask("memory=6GiB");
  Change(abi::kAnnotationResize, "memory=5GiB");  // not shown yet
  resizer_.Look();
  ASSERT_TRUE(loop_.RunUntil([&] { return api_.Asked("PATCH /api/v1/pods") == 1; }, 10s));
  Show();
  EXPECT_EQ(Assignment(), AssignmentText(1, 0));
  ASSERT_TRUE(loop_.RunUntil(
      [&] {
        resizer_.Look();
        return api_.Asked("PATCH /api/v1/pods") == 2;
      },
      10s));
  Show();
  EXPECT_EQ(Assignment(), AssignmentText(1, 0, "5GiB"));
  EXPECT_EQ(FreeGiB(), 11);
}

TEST_F(ResizerTest, AnEditedAssignmentCountsAndIsPutRight) {
  Change(abi::kAnnotationAssignment, AssignmentText(1, 0, "15GiB"));
  Show();
  EXPECT_EQ(FreeGiB(), 1);
  resizer_.Look();
  ASSERT_TRUE(IsPatched(1));
  Show();
  EXPECT_EQ(Assignment(), AssignmentText(1, 0));
  EXPECT_EQ(FreeGiB(), 12);
}

TEST_F(ResizerTest, AWishThatMakesNoSenseIsToldAndTakesNothing) {
  Ask("memory=lots");
  resizer_.Look();
  resizer_.Look();
  EXPECT_TRUE(IsLogged("memory=6GiB"));
  EXPECT_EQ(FreeGiB(), 12);
  EXPECT_EQ(view_.counts().bad_pods, 1u);
  EXPECT_EQ(api_.Asked("PATCH /api/v1/pods"), 0u);
}

}  // namespace
}  // namespace warpshare::cluster

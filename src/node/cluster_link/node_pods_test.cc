#include "node/cluster_link/node_pods.h"

#include <gtest/gtest.h>

#include <thread>

namespace warpshare::node {
namespace {

using namespace std::chrono_literals;

constexpr auto kLong = 60s;  // nothing here waits so long
constexpr auto kNot = 0ms;

PodOnNode PodWithUid(const std::string& uid) {
  PodOnNode pod{};
  pod.request.namespace_name = "team";
  pod.request.pod_name = "train";
  pod.request.pod_uid = uid;
  return pod;
}

TEST(NodePods, GivesAPodByItsUidAndByItsName) {
  NodePods pods(kNot);
  pods.Set("team", "train", "u1", PodWithUid("u1"));
  EXPECT_EQ(pods.FindByUid("u1")->request.pod_name, "train");
  EXPECT_EQ(pods.FindByName("team", "train")->request.pod_uid, "u1");
}

TEST(NodePods, KnowsAStaticPodByTheUidOfTheKubelet) {
  NodePods pods(kNot);
  pods.Set("team", "train", "of-the-mirror", PodWithUid("of-the-kubelet"));
  pods.Synced();
  EXPECT_TRUE(pods.FindByUid("of-the-kubelet"));
  EXPECT_FALSE(pods.FindByUid("of-the-mirror"));
}

TEST(NodePods, KnowsAPodThatClaimsToBeAnothersMirrorForNone) {
  NodePods pods(kNot);
  pods.Set("team", "forged", "of-the-forged", PodWithUid("u1"));
  pods.Set("team", "train", "u1", PodWithUid("u1"));
  pods.Synced();
  ASSERT_EQ(pods.Pods()->size(), 1u);
  pods.Set("team", "train", "u1", Fail(Errc::kInvalid, "cores are 1 to 100"));
  EXPECT_EQ(pods.FindByUid("u1").error().message, "cores are 1 to 100") << "the pod's own answer";
}

TEST(NodePods, SaysThatItCannotKnowBeforeItWasTold) {
  NodePods pods(kNot);
  EXPECT_EQ(pods.FindByUid("u1").error().code, Errc::kUnavailable);
  EXPECT_EQ(pods.Pods().error().code, Errc::kUnavailable);
  pods.Synced();
  EXPECT_EQ(pods.FindByUid("u1").error().code, Errc::kNotFound);
  EXPECT_TRUE(pods.Pods()->empty());
}

TEST(NodePods, WaitsForAPodThatTheKubeletWasToldOfFirst) {
  NodePods pods(kLong);
  pods.Synced();
  std::thread watch([&] { pods.Set("team", "train", "u1", PodWithUid("u1")); });
  EXPECT_TRUE(pods.FindByUid("u1"));
  watch.join();
}

TEST(NodePods, AnswersWithWhatIsWrongWithARequest) {
  NodePods pods(kNot);
  pods.Set("team", "train", "u1", Fail(Errc::kInvalid, "cores are 1 to 100"));
  pods.Synced();
  EXPECT_EQ(pods.FindByUid("u1").error().message, "cores are 1 to 100");
  EXPECT_TRUE(pods.Pods()->empty());
}

TEST(NodePods, ForgetsAPodThatIsGone) {
  NodePods pods(kNot);
  pods.Set("team", "train", "u1", PodWithUid("u1"));
  pods.Synced();
  pods.Remove("team", "train");
  EXPECT_EQ(pods.FindByName("team", "train").error().code, Errc::kNotFound);
}

TEST(NodePods, HoldsTheSecondOfTwoPodsThatHadOneNameInTurn) {
  NodePods pods(kNot);
  pods.Set("team", "train", "u1", PodWithUid("u1"));
  pods.Set("team", "train", "u2", PodWithUid("u2"));
  pods.Synced();
  EXPECT_FALSE(pods.FindByUid("u1"));
  EXPECT_TRUE(pods.FindByUid("u2"));
}

}  // namespace
}  // namespace warpshare::node

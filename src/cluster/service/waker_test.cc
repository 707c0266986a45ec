#include "cluster/service/waker.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "platform/clock/fake/fake_clock.h"
#include "platform/kube/fake/fake_api_server.h"
#include "pods/pod_json.h"

namespace warpshare::cluster {
namespace {

class WakerTest : public testing::Test {
 protected:
  WakerTest() {
    const std::string node = NodeObject(1, CardsText(1, 1));
    api_.Create(kube::kNodes, "", node);
    view_.SetNode(NodeViewOf(json::Document::Parse(node)->root()));
    clock_.Sleep(std::chrono::seconds(100));
  }
  void AddWaitingPod() {
    view_.SetPod(pods::PodViewOf(json::Document::Parse(PodObject({.uid = "waits"}))->root()),
                 false);
  }
  void Lose() {
    request::Request request;
    request.pod_uid = "lost";
    ASSERT_TRUE(view_.Reserve(request, {.node = "n1"}, 1));
    ASSERT_EQ(view_.Expire(1), 1u);
  }
  // Looks, too, for one touch ends before the next begins.
  bool IsTouched(size_t times) {
    return loop_.RunUntil(
        [&] {
          waker_.Look();
          return api_.Asked("PATCH /api/v1/nodes") == times;
        },
        std::chrono::seconds(10));
  }

  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  std::unique_ptr<kube::Client> client_ = *kube::Client::Make(loop_, {.config = api_.config()});
  platform::FakeClock clock_;
  KeptLog log_;
  ClusterView view_{log_};
  quota::QuotaBook quotas_;
  uint64_t unseen_ = 0;
  Waker waker_{
      {.view = view_, .client = *client_, .clock = clock_, .quotas = &quotas_, .unseen = [this] {
         return unseen_;
       }}};
};

TEST_F(WakerTest, TouchesTheNodeOfALostReservationOnceASecondAtMost) {
  waker_.Look();
  AddWaitingPod();
  waker_.Look();
  Lose();
  waker_.Look();
  waker_.Look();
  ASSERT_TRUE(IsTouched(1));
  EXPECT_NE(api_.Get(kube::kNodes, {"", "n1"}).find(abi::kAnnotationFreed), std::string::npos);
  Lose();
  waker_.Look();
  clock_.Sleep(std::chrono::seconds(1));
  waker_.Look();
  EXPECT_TRUE(IsTouched(2));
}

TEST_F(WakerTest, LetsNodesBeWhileNobodyWaits) {
  Lose();
  waker_.Look();
  AddWaitingPod();
  waker_.Look();
  Lose();
  waker_.Look();
  EXPECT_TRUE(IsTouched(1));
}

TEST_F(WakerTest, WakesPodsWhenAQuotaChanges) {
  AddWaitingPod();
  waker_.Look();
  ASSERT_TRUE(IsTouched(1));
  clock_.Sleep(std::chrono::seconds(1));
  waker_.Look();
  quotas_.SetQuotas({});
  waker_.Look();
  EXPECT_TRUE(IsTouched(2));
}

TEST_F(WakerTest, WakesPodsWhenANodeHasOtherCards) {
  waker_.Look();
  AddWaitingPod();
  view_.SetNode(NodeViewOf(json::Document::Parse(NodeObject(1, CardsText(1, 2)))->root()));
  waker_.Look();
  EXPECT_TRUE(IsTouched(1));
}

TEST_F(WakerTest, TouchesAnotherNodeWhereTheFirstIsGone) {
  const std::string other = NodeObject(2, CardsText(2, 1));
  api_.Create(kube::kNodes, "", other);
  view_.SetNode(NodeViewOf(json::Document::Parse(other)->root()));
  waker_.Look();
  AddWaitingPod();
  Lose();
  view_.RemoveNode("n1");
  waker_.Look();
  ASSERT_TRUE(IsTouched(1));
  EXPECT_NE(api_.Get(kube::kNodes, {"", "n2"}).find(abi::kAnnotationFreed), std::string::npos);
}

TEST_F(WakerTest, TouchesAgainWhereItFailed) {
  waker_.Look();
  AddWaitingPod();
  view_.SetNode(NodeViewOf(json::Document::Parse(NodeObject(3, CardsText(3, 1)))->root()));
  waker_.Look();  // nobody else has heard of n3
  ASSERT_TRUE(IsTouched(1));
  ASSERT_TRUE(loop_.RunUntil(
      [&] {
        clock_.Sleep(std::chrono::seconds(1));
        waker_.Look();
        return api_.Asked("PATCH /api/v1/nodes") == 2;
      },
      std::chrono::seconds(10)));
}

TEST_F(WakerTest, TouchesANodeForWhoHasSeenAPartOfThemOnly) {
  AddWaitingPod();
  waker_.Look();
  ++unseen_;
  EXPECT_TRUE(IsTouched(1));
}

}  // namespace
}  // namespace warpshare::cluster

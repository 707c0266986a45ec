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
  bool IsTouched(size_t times) {
    return loop_.RunUntil([&] { return api_.Asked("PATCH /api/v1/nodes") == times; },
                          std::chrono::seconds(10));
  }

  platform::EventLoop loop_;
  kube::FakeApiServer api_{loop_};
  std::unique_ptr<kube::Client> client_ = *kube::Client::Make(loop_, {.config = api_.config()});
  platform::FakeClock clock_;
  KeptLog log_;
  ClusterView view_{log_};
  Waker waker_{{.view = view_, .client = *client_, .clock = clock_}};
};

TEST_F(WakerTest, TouchesTheNodeOfALostReservationOnceASecondAtMost) {
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

}  // namespace
}  // namespace warpshare::cluster

#include "node/cluster_link/cluster_link.h"

#include <gtest/gtest.h>

#include <future>

#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::node {
namespace {

using namespace std::chrono_literals;

constexpr char kPod[] = R"({
  "metadata": {"namespace": "team", "name": "train"},
  "spec": {"nodeName": "n1", "containers": [
    {"name": "main", "resources": {"limits": {"warpshare.io/gpu": "1", "warpshare.io/gpu-memory": "4096"}}}]},
  "status": {"phase": "Pending"}})";

class NoLog final : public platform::Log {
 public:
  void Line(std::string_view) override {}
};

// The API server has a thread of its own, as it has elsewhere.
class ClusterLinkTest : public testing::Test {
 protected:
  ClusterLinkTest() : server_(loop_) {
    config_ = server_.config();
    thread_ = std::thread([this] { loop_.Run(); });
    Open();
  }
  ~ClusterLinkTest() override {
    link_.reset();
    loop_.Stop();
    thread_.join();
  }

  void Open() {
    link_ = std::move(*ClusterLink::Open(
        {.config = config_,
         .node = {.node_name = "n1", .current = [] { return AnnouncementOf({}, 1); }},
         .patience = 30s},
        log_));
  }
  void OnServer(const std::function<void()>& work) {
    std::promise<void> done;
    loop_.Post([&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
  }

  void MakeNodeWithAShrunkPod() {
    server_.Create(kube::kNodes, "", R"({"metadata":{"name":"n1"},"status":{"capacity":{}}})");
    server_.Create(kube::kPods, "team", kPod);
    server_.Merge(
        kube::kPods, {.space = "team", .name = "train"},
        R"({"metadata":{"annotations":{"warpshare.io/resize":"memory=1GiB","warpshare.io/assignment":)"
        R"("v1;n1;main=GPU-00000000-0000-0000-0000-000000000001:1GiB:0:weighted"}}})");
  }
  std::string Capacity() {
    std::string text;
    OnServer([&] {
      const auto node = json::Document::Parse(server_.Get(kube::kNodes, {.name = "n1"}));
      text = (*node)["status"]["capacity"]["warpshare.io/gpu-memory"].StringOr("");
    });
    return text;
  }

  NoLog log_;
  platform::EventLoop loop_;
  kube::FakeApiServer server_;
  kube::Config config_;
  std::thread thread_;
  std::unique_ptr<ClusterLink> link_;
};

TEST_F(ClusterLinkTest, KnowsAPodAsSoonAsTheClusterDoes) {
  OnServer([&] { server_.Create(kube::kPods, "team", kPod); });
  const auto pod = link_->pods().FindByName("team", "train");
  ASSERT_TRUE(pod) << pod.error().message;
  EXPECT_EQ(pod->request.pod_name, "train");
}

TEST_F(ClusterLinkTest, AnnouncesWhatAPodGaveBackOnTop) {
  OnServer([&] { MakeNodeWithAShrunkPod(); });
  while (Capacity() != "3072") std::this_thread::yield();
}

// The list of the pods, which is asked for first, comes at the second attempt only.
TEST_F(ClusterLinkTest, AnnouncesNoCapacityBeforeItKnowsThePods) {
  link_.reset();
  OnServer([&] {
    MakeNodeWithAShrunkPod();
    server_.FailNext(1, 500);
  });
  Open();
  while (Capacity() != "3072") std::this_thread::yield();
  OnServer([&] { EXPECT_EQ(server_.Asked("PATCH /api/v1/nodes/status"), 1u); });
}

TEST_F(ClusterLinkTest, EndsRightAfterItHasBegun) {
  for (int i = 0; i < 100; ++i) Open();
}

TEST_F(ClusterLinkTest, ForgetsAPodThatHasEnded) {
  OnServer([&] { server_.Create(kube::kPods, "team", kPod); });
  ASSERT_TRUE(link_->pods().FindByName("team", "train"));
  OnServer([&] {
    server_.Merge(kube::kPods, {.space = "team", .name = "train"},
                  R"({"status":{"phase":"Failed"}})");
  });
  while (!link_->pods().Pods()->empty()) std::this_thread::yield();
}

}  // namespace
}  // namespace warpshare::node

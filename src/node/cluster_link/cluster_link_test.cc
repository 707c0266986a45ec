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
    link_ = std::move(
        *ClusterLink::Open({.config = config_,
                            .node = {.node_name = "n1", .current = [] { return Announcement{}; }},
                            .patience = 30s},
                           log_));
  }
  ~ClusterLinkTest() override {
    link_.reset();
    loop_.Stop();
    thread_.join();
  }

  void OnServer(const std::function<void()>& work) {
    std::promise<void> done;
    loop_.Post([&] {
      work();
      done.set_value();
    });
    done.get_future().wait();
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

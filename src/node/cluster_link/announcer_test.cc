#include "node/cluster_link/announcer.h"

#include <gtest/gtest.h>

#include "abi/names/annotations.h"
#include "platform/kube/fake/fake_api_server.h"

namespace warpshare::node {
namespace {

using namespace std::chrono_literals;

const kube::ObjectName kNode{.space = "", .name = "n1"};

class NoLog final : public platform::Log {
 public:
  void Line(std::string_view) override {}
};

class AnnouncerTest : public testing::Test {
 protected:
  AnnouncerTest() {
    client_ = std::move(*kube::Client::Make(loop_, {.config = server_.config()}));
    announcer_ = std::make_unique<Announcer>(
        *client_, Announcer::Setup{.node_name = kNode.name, .current = [this] { return current_; }},
        log_);
  }

  void MakeNode() {
    server_.Create(kube::kNodes, "",
                   R"({"metadata":{"name":"n1"},"status":{"capacity":{"cpu":"4"}}})");
  }
  json::Document Node() { return *json::Document::Parse(server_.Get(kube::kNodes, kNode)); }
  std::string Capacity(const char* resource) {
    return std::string(Node()["status"]["capacity"][resource].StringOr(""));
  }
  std::string Cards() {
    return std::string(Node()["metadata"]["annotations"][abi::kAnnotationCards].StringOr(""));
  }
  bool Until(const std::function<bool()>& done) { return loop_.RunUntil(done, 30s); }
  std::string Lingering() {
    return std::string(Node()["metadata"]["annotations"][abi::kAnnotationLingering].StringOr(""));
  }
  std::string Taken() {
    return std::string(Node()["metadata"]["annotations"][abi::kAnnotationTaken].StringOr(""));
  }
  bool IsAnnounced() {
    return Cards() == current_.cards && Lingering() == current_.lingering &&
           Taken() == current_.taken &&
           Capacity("warpshare.io/gpu-memory") == std::to_string(current_.capacity->memory_mib) &&
           Capacity("warpshare.io/gpu-cores") == std::to_string(current_.capacity->core_percent);
  }

  NoLog log_;
  platform::EventLoop loop_;
  kube::FakeApiServer server_{loop_};
  Announcement current_{.cards = "v1 two cards",
                        .lingering = "v1;n1",
                        .taken = "v1;n1",
                        .capacity = NodeCapacity{.memory_mib = 81920, .core_percent = 200}};
  std::unique_ptr<kube::Client> client_;
  std::unique_ptr<Announcer> announcer_;
};

TEST_F(AnnouncerTest, SaysWhatTheNodeHasAndLeavesTheRest) {
  MakeNode();
  announcer_->Start();
  EXPECT_TRUE(Until([&] { return IsAnnounced(); }));
  EXPECT_EQ(Capacity("cpu"), "4");
}

TEST_F(AnnouncerTest, WaitsForANodeThatIsNotThereYet) {
  announcer_->Start();
  ASSERT_TRUE(Until([&] { return server_.watches() == 1; }));
  MakeNode();
  EXPECT_TRUE(Until([&] { return IsAnnounced(); }));
}

TEST_F(AnnouncerTest, PutsRightWhatTheKubeletSetToNothing) {
  MakeNode();
  announcer_->Start();
  ASSERT_TRUE(Until([&] { return IsAnnounced(); }));
  server_.Merge(kube::kNodes, kNode, R"({"status":{"capacity":{"warpshare.io/gpu-memory":"0"}}})");
  EXPECT_TRUE(Until([&] { return IsAnnounced(); }));
}

TEST_F(AnnouncerTest, TellsWhatIsAnotherByNow) {
  MakeNode();
  announcer_->Start();
  ASSERT_TRUE(Until([&] { return IsAnnounced(); }));
  current_ = {.cards = "v1 one card",
              .lingering = "v1;n1",
              .taken = "v1;n1;nvidia.com.gpu=card",
              .capacity = NodeCapacity{.memory_mib = 40960, .core_percent = 100}};
  EXPECT_TRUE(Until([&] { return IsAnnounced(); }));
}

TEST_F(AnnouncerTest, LeavesWhatWasSaidOfOthersWhileItKnowsNothing) {
  MakeNode();
  server_.Merge(kube::kNodes, kNode,
                R"({"metadata":{"annotations":{"warpshare.io/lingering":"v1;n1;u=some",
                    "warpshare.io/taken":"v1;n1;nvidia.com.gpu=some"}}})");
  current_.lingering = "";
  current_.taken = "";
  announcer_->Start();
  ASSERT_TRUE(Until([&] { return Cards() == current_.cards; }));
  EXPECT_EQ(Lingering(), "v1;n1;u=some");
  EXPECT_EQ(Taken(), "v1;n1;nvidia.com.gpu=some");
  current_.taken = "v1;n1";
  current_.lingering = "v1;n1";
  EXPECT_TRUE(Until([&] { return IsAnnounced(); }));
}

TEST_F(AnnouncerTest, LeavesTheCapacityWhileItDoesNotKnowIt) {
  MakeNode();
  server_.Merge(kube::kNodes, kNode,
                R"({"status":{"capacity":{"warpshare.io/gpu-memory":"90000"}}})");
  const NodeCapacity known = *current_.capacity;
  current_.capacity.reset();
  announcer_->Start();
  ASSERT_TRUE(Until([&] { return Cards() == current_.cards; }));
  current_.lingering = "v1;n1;u=some";
  ASSERT_TRUE(Until([&] { return Lingering() == current_.lingering; }));
  EXPECT_EQ(Capacity("warpshare.io/gpu-memory"), "90000");
  EXPECT_EQ(Capacity("warpshare.io/gpu-cores"), "");
  current_.capacity = known;
  EXPECT_TRUE(Until([&] { return IsAnnounced(); }));
}

TEST_F(AnnouncerTest, TriesAgainAfterAFailure) {
  MakeNode();
  announcer_->Start();
  ASSERT_TRUE(Until([&] { return IsAnnounced(); }));
  server_.FailNext(1, 500);
  current_.capacity->memory_mib = 1;
  EXPECT_TRUE(Until([&] { return IsAnnounced(); }));
}

}  // namespace
}  // namespace warpshare::node

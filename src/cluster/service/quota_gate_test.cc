#include "cluster/service/quota_gate.h"

#include <gtest/gtest.h>

#include "cluster/inventory/cluster_view.h"
#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "pods/pod_json.h"

namespace warpshare::cluster {
namespace {

class QuotaGateTest : public testing::Test {
 protected:
  QuotaGateTest() {
    view_.SetNode(NodeViewOf(json::Document::Parse(NodeObject(1, CardsText(1, 2)))->root()));
  }
  void LimitDefaultTo(Bytes memory) {
    quota::Quotas quotas;
    quotas.emplace("default", admit::LimitByModel{{"", {.memory = memory}}});
    book_.SetQuotas(std::move(quotas));
  }
  // 4 GiB for the pod, which waits in "default".
  bool Reserve(const std::string& uid) {
    const auto pod = json::Document::Parse(PodObject({.name = uid, .uid = uid}));
    view_.SetPod(pods::PodViewOf(pod->root()), false);
    const place::PodHold hold{
        .node = "n1",
        .cards = {{.uuid = CardOf(1, 0), .hold = {.memory = int64_t{4} << 30, .slots = 1}}}};
    return view_.Reserve(*view_.FindWaiting(uid), hold, 5).has_value();
  }

  quota::QuotaBook book_;
  QuotaGate gate_{book_};
  KeptLog log_;
  ClusterView view_{log_, &gate_};
};

TEST_F(QuotaGateTest, NothingIsReservedBeyondTheQuota) {
  LimitDefaultTo(9_GiB);
  EXPECT_TRUE(Reserve("a"));
  EXPECT_TRUE(Reserve("b"));
  EXPECT_FALSE(Reserve("c"));
  view_.GiveBack("a");
  EXPECT_TRUE(Reserve("c"));
}

TEST_F(QuotaGateTest, NothingIsReservedBeforeTheQuotasAreKnown) { EXPECT_FALSE(Reserve("a")); }

TEST_F(QuotaGateTest, PodsOnNodesCountByModelWhateverTheQuotaSays) {
  LimitDefaultTo(1_GiB);
  const auto pod = json::Document::Parse(
      PodObject({.uid = "u", .node = "n1", .assignment = AssignmentText(1, 0)}));
  view_.SetPod(pods::PodViewOf(pod->root()), false);
  EXPECT_EQ(book_.Used("default").at("").memory, 4_GiB);
  EXPECT_EQ(book_.Used("default").at("T4").memory, 4_GiB);
  view_.RemovePod("default", "p");
  EXPECT_FALSE(Reserve("a"));
}

// Its node's daemon was not there when the scheduler began, or names the model otherwise by now.
TEST_F(QuotaGateTest, PodsCountByTheModelThatTheirNodeTellsLater) {
  const auto pod = json::Document::Parse(
      PodObject({.uid = "u", .node = "n2", .assignment = AssignmentText(2, 0)}));
  view_.SetPod(pods::PodViewOf(pod->root()), false);
  EXPECT_FALSE(book_.Used("default").contains("T4"));
  const auto tell = [&](const std::string& model) {
    view_.SetNode(NodeViewOf(json::Document::Parse(NodeObject(2, CardsText(2, 1, model)))->root()));
  };
  tell("T4");
  EXPECT_EQ(book_.Used("default").at("T4").memory, 4_GiB);
  tell("A10");
  EXPECT_EQ(book_.Used("default").at("A10").memory, 4_GiB);
  EXPECT_EQ(book_.Used("default")["T4"].memory, 0_GiB);
  EXPECT_EQ(book_.Used("default").at("").memory, 4_GiB);
}

}  // namespace
}  // namespace warpshare::cluster

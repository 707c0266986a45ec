#include "pods/queue_json.h"

#include <gtest/gtest.h>

namespace warpshare::pods {
namespace {

request::QueueView Read(const std::string& pod) {
  const auto document = json::Document::Parse(pod);
  EXPECT_TRUE(document) << pod;
  return QueueViewOf(document->root());
}

uint64_t KindOf(const std::string& spec) { return Read(R"({"spec":{)" + spec + "}}").kind; }

TEST(QueueJsonTest, ReadsWhoseTurnItIsAndWhereItIsExpected) {
  const auto queue = Read(R"({"spec":{"schedulerName":"s"},"status":{"nominatedNodeName":"n1"}})");
  EXPECT_EQ(queue.scheduler, "s");
  EXPECT_EQ(queue.nominated_node, "n1");
  EXPECT_TRUE(queue.is_untried);
}

TEST(QueueJsonTest, APodWasTriedWhenItsConditionSaysWhyItIsOnNoNode) {
  EXPECT_FALSE(
      Read(R"({"status":{"conditions":[{"type":"PodScheduled","reason":"Unschedulable"}]}})")
          .is_untried);
  EXPECT_TRUE(Read(R"({"status":{"conditions":[{"type":"Ready","reason":"x"}]}})").is_untried);
}

TEST(QueueJsonTest, AGatedPodIsUntriedFromWhenItsGatesAreGone) {
  const std::string status =
      R"("status":{"conditions":[{"type":"PodScheduled","reason":"SchedulingGated"}]}})";
  EXPECT_FALSE(Read(R"({"spec":{"schedulingGates":[{"name":"g"}]},)" + status).is_untried);
  EXPECT_TRUE(Read(R"({"spec":{"schedulingGates":[{"name":"g"}]},)" + status).is_gated);
  EXPECT_TRUE(Read("{" + status).is_untried);
}

TEST(QueueJsonTest, PodsAreOfAKindThatSayTheSameAboutNodes) {
  const std::string selector = R"("nodeSelector":{"zone":"a"})";
  EXPECT_EQ(KindOf(selector), KindOf(selector + R"(,"containers":[{"name":"x"}])"));
  EXPECT_NE(KindOf(selector), KindOf(R"("nodeSelector":{"zone":"b"})"));
  EXPECT_NE(KindOf(""), KindOf(R"("schedulerName":"s")"));
  EXPECT_NE(KindOf(""), KindOf(R"("tolerations":[{"operator":"Exists"}])"));
  EXPECT_NE(KindOf(""), 0u);
}

TEST(QueueJsonTest, APodThatDependsOnOthersOrOnClaimsIsOfNoKind) {
  const std::string required = R"({"requiredDuringSchedulingIgnoredDuringExecution":[{}]})";
  const std::string preferred = R"({"preferredDuringSchedulingIgnoredDuringExecution":[{}]})";
  EXPECT_EQ(KindOf(R"("affinity":{"podAffinity":)" + required + "}"), 0u);
  EXPECT_EQ(KindOf(R"("affinity":{"podAntiAffinity":)" + required + "}"), 0u);
  EXPECT_NE(KindOf(R"("affinity":{"podAntiAffinity":)" + preferred + "}"), 0u);
  EXPECT_EQ(KindOf(R"("topologySpreadConstraints":[{}])"), 0u);
  EXPECT_EQ(KindOf(R"("resourceClaims":[{}])"), 0u);
  EXPECT_EQ(KindOf(R"("volumes":[{"persistentVolumeClaim":{"claimName":"c"}}])"), 0u);
  EXPECT_NE(KindOf(R"("volumes":[{"emptyDir":{}}])"), 0u);
}

TEST(QueueJsonTest, NonsenseIsAnOrdinaryPod) {
  const auto queue = Read(R"({"spec":7,"status":{"conditions":"none","nominatedNodeName":{}}})");
  EXPECT_EQ(queue.nominated_node, "");
  EXPECT_TRUE(queue.is_untried);
}

}  // namespace
}  // namespace warpshare::pods

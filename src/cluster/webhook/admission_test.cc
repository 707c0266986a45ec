#include "cluster/webhook/admission.h"

#include <gtest/gtest.h>

#include "cluster/webhook/testing/question.h"

namespace warpshare::webhook {
namespace {

class AdmissionTest : public testing::Test {
 protected:
  AdmissionTest() { quotas_.SetQuotas({}); }

  Verdict Ask(const std::string& pod, const std::string& scheduler = "",
              NvidiaGpu nvidia_gpu = NvidiaGpu::kAuto) {
    const auto document = json::Document::Parse(Question(pod));
    EXPECT_TRUE(document) << document.error().message;
    const auto review = ReadReview(document->root());
    EXPECT_TRUE(review) << review.error().message;
    return Admission(cards_, quotas_, {.scheduler = scheduler, .nvidia_gpu = nvidia_gpu})
        .Judge(*review);
  }

  std::string RefusalOf(const std::string& limits, const std::string& more = "") {
    const Verdict verdict = Ask(PodWith(limits, more));
    EXPECT_EQ(verdict.is_allowed, verdict.message.empty());
    EXPECT_EQ(verdict.patch, "");
    return verdict.message;
  }

  FixedCards cards_{{{{"NVIDIA A100", 80_GiB}, {"NVIDIA A100", 80_GiB}}, {{"NVIDIA T4", 16_GiB}}}};
  quota::QuotaBook quotas_;
};

TEST_F(AdmissionTest, PodsWithoutCardsPassUntouched) {
  for (const char* limits : {"{}", R"({"cpu": "1"})", R"({"nvidia.com/gpu": "0"})", "3", "null"}) {
    const Verdict verdict = Ask(PodWith(limits), "ours");
    EXPECT_TRUE(verdict.is_allowed) << limits;
    EXPECT_EQ(verdict.patch + verdict.message, "") << limits;
  }
  EXPECT_TRUE(Ask("{}", "ours").is_allowed);
}

TEST_F(AdmissionTest, APodThatSaysAllPassesAsItIs) {
  EXPECT_EQ(RefusalOf(R"({"warpshare.io/gpu": "2", "warpshare.io/gpu-cores": "30"})"), "");
}

TEST_F(AdmissionTest, APodThatLeavesThingsUnsaidIsCompleted) {
  const Verdict verdict = Ask(PodWith(R"({"warpshare.io/gpu-memory": "4096"})"), "ours");
  EXPECT_TRUE(verdict.is_allowed);
  EXPECT_NE(verdict.patch.find("limits/warpshare.io~1gpu"), std::string::npos);
  EXPECT_NE(verdict.patch.find(R"("/spec/schedulerName","value":"ours")"), std::string::npos);
}

TEST_F(AdmissionTest, WhatCanNeverWorkIsRefusedWithAReason) {
  const struct {
    const char* limits;
    const char* more;
    const char* message;
  } table[] = {
      {R"({"warpshare.io/gpu-cores": "101"})", "",
       "warpshare: container main: warpshare.io/gpu-cores is not in 1..100: write a percentage of "
       "each card"},
      {R"({"warpshare.io/gpu-cores": "0"})", "",
       "warpshare: container main: warpshare.io/gpu-cores is not in 1..100: write a percentage of "
       "each card"},
      {R"({"warpshare.io/gpu-memory": "1", "warpshare.io/gpu-memory-percent": "1"})", "",
       "warpshare: container main: has warpshare.io/gpu-memory and gpu-memory-percent: keep one of "
       "them"},
      {R"({"warpshare.io/gpu-memory": "81921"})", "",
       "warpshare: container main: asks for 81921MiB of a card, and the largest that it may have "
       "is 80GiB: ask for less, or for several cards"},
      {R"({"warpshare.io/gpu": "1"})", R"(, "securityContext": {"privileged": true})",
       "warpshare: container main: is privileged and would see every card of the node: leave "
       "privileged out, or ask for no card"},
  };
  for (const auto& [limits, more, message] : table) EXPECT_EQ(RefusalOf(limits, more), message);
}

TEST_F(AdmissionTest, AFolderOfTheMachineThatHoldsOthersToTheirLimitsIsNotMounted) {
  const auto ask = [&](const char* limits, const char* path) {
    return Ask(R"({"spec": {"volumes": [{"name": "v", "hostPath": {"path": ")" + std::string(path) +
               R"("}}], "containers": [{"name": "main", "resources": {"limits": )" + limits +
               R"(}}, {"name": "side", "volumeMounts": [{"name": "v"}]}]}})");
  };
  const char* card = R"({"warpshare.io/gpu": "1"})";
  const Verdict verdict = ask(card, "/run");
  EXPECT_FALSE(verdict.is_allowed);
  EXPECT_TRUE(verdict.message.starts_with(
      "warpshare: container side: could write to the machine's /run/warpshare-node"))
      << verdict.message;
  EXPECT_TRUE(ask(card, "/data").is_allowed);
  EXPECT_TRUE(ask(R"({"warpshare.io/gpu": "0"})", "/run").is_allowed);
}

TEST_F(AdmissionTest, AnEmptyClusterRefusesNothingForItsCards) {
  cards_.inventory.clear();
  EXPECT_EQ(RefusalOf(R"({"warpshare.io/gpu": "9", "warpshare.io/gpu-memory": "1000000"})"), "");
}

TEST_F(AdmissionTest, WhatIsOverTheNamespacesQuotaIsForbidden) {
  quotas_.SetQuotas({{"team-a", admit::LimitByModel{{"", {.memory = 8_GiB}}}}});
  const std::string two_of_four_gib =
      R"({"warpshare.io/gpu": "2", "warpshare.io/gpu-memory": "4096"})";
  EXPECT_EQ(RefusalOf(two_of_four_gib), "");
  quotas_.Count("team-a", "somebody", {{"", {.memory = 1_MiB}}});
  const Verdict verdict = Ask(PodWith(two_of_four_gib));
  EXPECT_FALSE(verdict.is_allowed);
  EXPECT_TRUE(verdict.is_forbidden);
  EXPECT_TRUE(
      verdict.message.starts_with("warpshare: quota: card memory: the namespace may have 8GiB, has "
                                  "1MiB, and the pod wants 8GiB"))
      << verdict.message;
}

TEST_F(AdmissionTest, WhatMayGoToASmallCardIsNotRefusedForALargeOne) {
  quotas_.SetQuotas({{"team-a", admit::LimitByModel{{"", {.memory = 20_GiB}}}}});
  EXPECT_EQ(RefusalOf(R"({"warpshare.io/gpu": "1"})"), "");
  quotas_.Count("team-a", "somebody", {{"", {.memory = 5_GiB}}});
  EXPECT_NE(RefusalOf(R"({"warpshare.io/gpu": "1"})"), "");
}

TEST_F(AdmissionTest, AskingTakesNothingOfTheQuota) {
  quotas_.SetQuotas({{"team-a", admit::LimitByModel{{"", {.cards = 1}}}}});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(RefusalOf(R"({"warpshare.io/gpu": "1"})"), "");
  EXPECT_TRUE(quotas_.Used("team-a").empty());
}

// With one card; `more` stands in its spec.
std::string PodThatNames(const std::string& more) {
  return R"({"spec": {)" + more + R"(, "containers": [{"name": "main", "resources":
      {"limits": {"warpshare.io/gpu": "1"}}}]}})";
}

TEST_F(AdmissionTest, WhereThereIsAQuotaNobodyGoesPastTheSchedulerThatEnforcesIt) {
  quotas_.SetQuotas({{"team-a", admit::LimitByModel{{"", {.cards = 8}}}}});
  const auto refusal = [&](const std::string& more, const std::string& ours = "ours") {
    const Verdict verdict = Ask(PodThatNames(more), ours);
    EXPECT_EQ(verdict.is_allowed, verdict.message.empty());
    return verdict.message;
  };
  EXPECT_EQ(refusal(R"("nodeName": "n")"),
            "warpshare: quota: namespace team-a has a quota of cards, which is enforced when "
            "warpshare's scheduler binds a pod: leave nodeName out");
  EXPECT_NE(refusal(R"("nodeName": "n", "schedulerName": "ours")"), "");
  EXPECT_NE(refusal(R"("nodeName": "n")", ""), "");
  EXPECT_TRUE(refusal(R"("schedulerName": "theirs")").ends_with("leave schedulerName theirs out"));
  EXPECT_EQ(refusal(R"("schedulerName": "theirs")", ""), "") << "it may be ours: ours has no name";
  for (const char* good : {"ours", "default-scheduler", ""})
    EXPECT_EQ(refusal(R"("schedulerName": ")" + std::string(good) + "\""), "") << good;
}

TEST_F(AdmissionTest, WhereThereIsNoQuotaAPodMayNameItsSchedulerAndItsNode) {
  quotas_.SetQuotas({{"team-a", admit::LimitByModel{{"", {}}}},
                     {quota::kOtherNamespaces, admit::LimitByModel{{"", {.cards = 0}}}}});
  EXPECT_TRUE(Ask(PodThatNames(R"("nodeName": "n")"), "ours").is_allowed);
  EXPECT_TRUE(Ask(PodThatNames(R"("schedulerName": "theirs")"), "ours").is_allowed);
}

TEST_F(AdmissionTest, APodThatNamesItsNodeIsLetInWithAWarning) {
  const Verdict verdict = Ask(PodThatNames(R"("nodeName": "n")"), "ours");
  EXPECT_TRUE(verdict.is_allowed);
  EXPECT_EQ(verdict.patch, "");
  EXPECT_TRUE(verdict.message.starts_with("the pod names its node"));
}

constexpr char kPlainCard[] = R"({"nvidia.com/gpu": "1"})";

TEST_F(AdmissionTest, APlainCardBecomesOneOfOursWhereNvidiasPluginRunsNowhere) {
  const Verdict verdict = Ask(PodWith(kPlainCard), "ours");
  EXPECT_TRUE(verdict.is_allowed);
  EXPECT_TRUE(verdict.is_adopted);
  EXPECT_NE(verdict.patch.find("limits/nvidia.com~1gpu"), std::string::npos);
  EXPECT_NE(verdict.patch.find("limits/warpshare.io~1gpu"), std::string::npos);
  EXPECT_NE(verdict.patch.find(R"("/spec/schedulerName","value":"ours")"), std::string::npos);
  EXPECT_TRUE(verdict.message.starts_with("warpshare gives the cards here")) << verdict.message;
}

TEST_F(AdmissionTest, APlainCardIsLeftAloneWhereNvidiasPluginRuns) {
  cards_.may_have_nvidias_plugin = true;
  const Verdict left = Ask(PodWith(kPlainCard), "ours");
  EXPECT_TRUE(left.is_allowed);
  EXPECT_EQ(left.patch + left.message, "");
  EXPECT_TRUE(Ask(PodWith(kPlainCard), "ours", NvidiaGpu::kAdopt).is_adopted);
}

TEST_F(AdmissionTest, WhatIsAdoptedIsRefusedLikeAnyOther) {
  const auto refusal = [&](const std::string& limits, const std::string& more = "") {
    const Verdict verdict = Ask(PodWith(limits, more));
    EXPECT_FALSE(verdict.is_allowed);
    EXPECT_FALSE(verdict.is_adopted);
    return verdict.message;
  };
  EXPECT_NE(refusal(R"({"nvidia.com/gpu": "3"})").find("no node has more than 2"),
            std::string::npos);
  EXPECT_NE(refusal(kPlainCard, R"(, "securityContext": {"privileged": true})").find("privileged"),
            std::string::npos);
  quotas_.SetQuotas({{"team-a", admit::LimitByModel{{"", {.cards = 0}}}}});
  EXPECT_NE(refusal(kPlainCard).find("quota"), std::string::npos);
}

TEST_F(AdmissionTest, OneContainerWithBothNamesIsRefused) {
  EXPECT_EQ(RefusalOf(R"({"nvidia.com/gpu": "1", "warpshare.io/gpu": "1"})"),
            "warpshare: container main: asks for nvidia.com/gpu and warpshare.io/gpu: keep one of "
            "them");
}

TEST_F(AdmissionTest, ABoundPodKeepsItsPlainCardAndIsWarned) {
  const std::string bound =
      R"({"spec": {"nodeName": "n", "containers": [{"name": "main", "resources":
          {"limits": {"nvidia.com/gpu": "1"}}}]}})";
  const Verdict verdict = Ask(bound, "ours");
  EXPECT_TRUE(verdict.is_allowed);
  EXPECT_EQ(verdict.patch, "");
  EXPECT_TRUE(verdict.message.starts_with("the pod names its node and asks for nvidia.com/gpu"));
  EXPECT_EQ(Ask(bound, "ours", NvidiaGpu::kLeave).message, "");
}

TEST_F(AdmissionTest, TheShadowOfAStaticPodIsNotTouched) {
  const Verdict verdict = Ask(
      R"({"metadata": {"annotations": {"kubernetes.io/config.mirror": "x"}}, "spec": {"containers":
          [{"name": "main", "resources": {"limits": {"warpshare.io/gpu-memory": "1"}}}]}})",
      "ours");
  EXPECT_TRUE(verdict.is_allowed);
  EXPECT_EQ(verdict.patch + verdict.message, "");
}

}  // namespace
}  // namespace warpshare::webhook

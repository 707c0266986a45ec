#include "cluster/report/survey_reader.h"

#include <gtest/gtest.h>

#include "cluster/report/testing/survey_words.h"
#include "platform/kube/fake/kube_test.h"

namespace warpshare::report {
namespace {

class SurveyReaderTest : public kube::KubeTest {
 protected:
  void SetNode(uint16_t number) { server_.Create(kube::kNodes, "", NodeText({.number = number})); }
  void SetPod(const PodWords& words) {
    server_.Create(kube::kPods, "default", cluster::PodObject(words));
  }
  Result<Gaps> Read(const Scope& scope) {
    return ReadSurvey(*client_, scope, survey_, [this](const Progress& now) {
      progress_ = now;
      ++pages_;
    });
  }

  Survey survey_;
  Progress progress_;
  int pages_ = 0;
};

TEST_F(SurveyReaderTest, ReadsAllPagesAndSaysHowFarItIs) {
  for (uint16_t number = 1; number <= 7; ++number) SetNode(number);
  SetPod({.name = "w"});
  SetPod({.name = "p", .node = "n1", .assignment = AssignmentText(1, 0), .phase = "Running"});
  ASSERT_TRUE(Read({.page = 3}));
  EXPECT_EQ(survey_.nodes().size(), 7u);
  EXPECT_EQ(survey_.pods().size(), 2u);
  EXPECT_EQ(progress_.nodes, 7u);
  EXPECT_EQ(progress_.pods, 2u);
  EXPECT_EQ(pages_, 4);
  EXPECT_EQ(survey_.ledger().card(*survey_.ledger().FindCard(CardOf(1, 0))).tenants, 1);
}

TEST_F(SurveyReaderTest, ReadsOneNodeAndItsPodsOnly) {
  SetNode(1);
  SetNode(2);
  SetPod({.name = "p", .node = "n1", .assignment = AssignmentText(1, 0), .phase = "Running"});
  SetPod({.name = "q", .node = "n2", .assignment = AssignmentText(2, 0), .phase = "Running"});
  ASSERT_TRUE(Read({.node = "n2"}));
  EXPECT_EQ(survey_.nodes().size(), 1u);
  ASSERT_EQ(survey_.pods().size(), 1u);
  EXPECT_EQ(survey_.pods()[0].name, "q");
}

TEST_F(SurveyReaderTest, KnowsTheQuotasOrWhyNot) {
  const kube::ObjectName name{"system", "quota"};
  EXPECT_EQ(Read({.quotas = name})->quotas, "");
  ASSERT_TRUE(survey_.quotas().quotas());
  EXPECT_TRUE(survey_.quotas().quotas()->empty());
  server_.Create(kube::kConfigMaps, "system",
                 R"({"metadata":{"name":"quota"},"data":{"team":"cards = 2"}})");
  ASSERT_TRUE(Read({.quotas = name}));
  EXPECT_TRUE(survey_.quotas().quotas()->contains("team"));
}

TEST_F(SurveyReaderTest, NamesTheServerAndTheMendOfWhatGoesWrong) {
  const auto reason = [&](const Scope& scope) { return Read(scope).error().message; };
  EXPECT_NE(reason({.node = "nowhere"}).find("no node nowhere"), std::string::npos);
  server_.FailNext(1, 403);
  EXPECT_NE(reason({}).find("warpshare-viewer"), std::string::npos);
  server_.FailNext(1, 410);
  EXPECT_NE(reason({}).find("try again"), std::string::npos);
  server_.Stop();
  const std::string unreachable = reason({});
  EXPECT_NE(unreachable.find("http://127.0.0.1:" + std::to_string(client_->config().port)),
            std::string::npos)
      << unreachable;
  EXPECT_NE(unreachable.find("see whether it runs"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::report

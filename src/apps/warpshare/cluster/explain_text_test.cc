#include "apps/warpshare/cluster/explain_text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/warpshare/cluster/explain_json.h"
#include "cluster/report/testing/survey_words.h"

namespace warpshare::app {
namespace {

std::string Joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::string WhyText(report::Survey& survey, const report::PodWords& words,
                    const WaitingView& view = {}) {
  const report::PodStory pod = report::StoryOf(words);
  return Joined(WaitingLines(pod, report::ExplainWaiting(survey, pod), view));
}

TEST(ExplainText, OfAPodThatWaitsGroupsTheNodesByReason) {
  report::Survey survey;
  for (uint16_t number = 1; number <= 5; ++number) {
    report::AddNode(survey, {.number = number});
    report::AddHolder(survey, "holder-" + std::to_string(number), number, 0, 10);
  }
  report::AddNode(survey, {.number = 6, .cards = 0});
  const report::PodWords words{.name = "w", .memory_gib = 8};
  const std::string text = WhyText(survey, words);
  EXPECT_NE(text.find("pod default/w waits for 1 card with 8GiB\n"), std::string::npos) << text;
  EXPECT_NE(text.find("5      no_memory  not enough memory left on a card  n1, n2, n3, ..."),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("1      no_cards   the node has no cards (never)"), std::string::npos);
  EXPECT_NE(text.find("near: n1: not enough memory left on a card (container main wants 1 card)"),
            std::string::npos);
  EXPECT_NE(text.find("6.00GiB  99 %        2.00GiB of memory  no_memory"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  the end of default/holder-1 on n1 (10.00GiB of its cards)\n"),
            std::string::npos);
  EXPECT_NE(text.find("  asking for 6GiB of memory at most: there is room on n1\n"),
            std::string::npos);
  EXPECT_NE(WhyText(survey, words, {.is_wide = true}).find("n1, n2, n3, n4, n5\n"),
            std::string::npos);
}

TEST(ExplainText, OfAPodThatFitsSaysWhereItWillGo) {
  report::Survey survey;
  report::AddNode(survey, {.number = 1});
  report::AddNode(survey, {.number = 2});
  const std::string text = WhyText(survey, {.name = "w"}, {.quota_gap = "denied"});
  EXPECT_NE(text.find("has room for it now, as have 1 other: it goes there when"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("no scheduler has looked at it yet"), std::string::npos);
  EXPECT_NE(text.find("quotas were not looked at: denied"), std::string::npos);
}

TEST(ExplainText, OfAPodOnANodeHasItsPartsAndProblems) {
  report::Survey survey;
  report::AddNode(survey, {});
  const report::PodWords words{.name = "p",
                               .uid = "p",
                               .cores = 30,
                               .node = "n1",
                               .assignment = report::AssignmentText(1, 0, "4GiB", "30:soft"),
                               .phase = "Running",
                               .is_running = true};
  const report::PodStory pod = report::StoryOf(words);
  const std::string good = Joined(PlacedLines(pod, report::ExplainPlaced(survey, pod)));
  EXPECT_TRUE(good.starts_with("pod default/p is on n1: Running\n")) << good;
  EXPECT_NE(good.find("T4     4GiB    30 %   soft  running"), std::string::npos) << good;
  EXPECT_NE(good.find("node and API server agree"), std::string::npos);
  const std::string gone = Joined(PlacedLines(pod, report::ExplainPlaced(report::Survey(), pod)));
  EXPECT_NE(gone.find("problem: node n1 is gone\n"), std::string::npos) << gone;
}

TEST(ExplainText, OfPodsThatNoCardIsFor) {
  EXPECT_EQ(SimpleLines(report::StoryOf({.name = "p", .phase = "Failed"})),
            std::vector<std::string>{"pod default/p has ended (Failed): it holds no card"});
  const auto none = SimpleLines(report::StoryOf({.name = "p", .cards = 0}));
  EXPECT_EQ(none[0], "pod default/p asks for no cards: warpshare has no say in where it goes");
  const std::string bad = Joined(SimpleLines(report::StoryOf({.name = "p", .cores = 101})));
  EXPECT_NE(bad.find("no node can take it: container main"), std::string::npos) << bad;
}

TEST(ExplainJson, HasTheSame) {
  report::Survey survey;
  report::AddNode(survey, {});
  report::AddHolder(survey, "holder", 1, 0, 10);
  const report::PodStory pod = report::StoryOf({.name = "w", .memory_gib = 8});
  const report::WhyWaiting why = report::ExplainWaiting(survey, pod);
  const auto told = json::Document::Parse(ExplanationJson({.pod = pod, .why = &why}));
  ASSERT_TRUE(told);
  EXPECT_EQ((*told)["standing"].StringOr(""), "waits");
  EXPECT_EQ((*told)["nearest"][size_t{0}]["cards"][size_t{0}]["missing_bytes"].IntegerOr(0),
            int64_t{2} << 30);
  EXPECT_EQ((*told)["smaller_requests"][size_t{0}]["memory_bytes"].IntegerOr(0), int64_t{6} << 30);
  EXPECT_EQ((*told)["quota_refusal"].kind(), json::Kind::kNull);
}

}  // namespace
}  // namespace warpshare::app

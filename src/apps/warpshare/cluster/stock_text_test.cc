#include "apps/warpshare/cluster/stock_text.h"

#include <gtest/gtest.h>

#include "apps/warpshare/cluster/stock_json.h"
#include "cluster/report/testing/survey_words.h"

namespace warpshare::app {
namespace {

using Lines = std::vector<std::string>;

class StockText : public testing::Test {
 protected:
  StockText() {
    report::AddNode(survey_, {.number = 1, .cards = 2});
    report::AddNode(survey_, {.number = 2, .cards = 0, .slots = 0});
    report::AddPod(survey_, {.name = "p",
                             .uid = "p",
                             .cores = 30,
                             .node = "n1",
                             .assignment = report::AssignmentText(1, 0, "4GiB", "30:hard"),
                             .phase = "Running"});
  }

  report::Survey survey_;
};

TEST_F(StockText, OfNodesHasALineForEachThatHasCards) {
  EXPECT_EQ(NodeLines(report::TakeStock(survey_), {}),
            (Lines{"NODE  CARDS  MEMORY                   CORES       CONTAINERS  MODEL  STATE",
                   "n1    2      4.00GiB / 32.00GiB  12%  30 / 200 %  1           T4     ready",
                   "and 1 node without cards"}));
}

TEST_F(StockText, OfNodesShowsWhatIsWrongWithThem) {
  report::AddNode(survey_, {.number = 3, .slots = 0, .is_ready = false});
  report::AddNode(survey_, {.number = 4, .spec = R"({"unschedulable":true})"});
  report::AddPod(survey_, {.name = "w", .uid = "w"});
  const Lines lines = NodeLines(report::TakeStock(survey_), {});
  EXPECT_TRUE(lines[2].ends_with("not ready, no warpshare-node")) << lines[2];
  EXPECT_TRUE(lines[3].ends_with("ready, cordoned")) << lines[3];
  EXPECT_TRUE(lines[4].starts_with("total  4")) << lines[4];
  EXPECT_EQ(lines.back(), "1 pod waits for cards: see: warpshare explain w -n default");
}

TEST_F(StockText, OfCardsHasThePodsBelowEach) {
  const report::Stock stock = report::TakeStock(survey_);
  const Lines lines = CardLines(stock, {});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(
      lines[1].starts_with("n1    0     GPU-00010000  T4     4.00GiB / 16.00GiB  25%  30 "
                           "/ 100 %  1 / 16      ok"))
      << lines[1];
  EXPECT_TRUE(lines[2].ends_with("default/p main")) << lines[2];
  EXPECT_NE(lines[2].find("30 % hard"), std::string::npos);
  EXPECT_EQ(CardLines(stock, {.space = "other"}).size(), 3u);
}

TEST_F(StockText, OfPodsHasALineForEachPart) {
  report::AddPod(survey_, {.name = "w", .uid = "w", .memory_gib = 0});
  report::AddPod(survey_, {.name = "past", .uid = "past", .node = "n1"});
  const Lines lines = PodLines(survey_, {});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_NE(lines[1].find("main       n1    0     4.00GiB  30 %   hard  Running"),
            std::string::npos)
      << lines[1];
  EXPECT_TRUE(lines[2].ends_with("waits for 1 whole card")) << lines[2];
  EXPECT_NE(lines[3].find("did not come through"), std::string::npos) << lines[3];
}

TEST(StockTextOfNothing, SaysSo) {
  const report::Survey survey;
  EXPECT_EQ(NodeLines(report::TakeStock(survey), {}),
            Lines{"no node has cards: see whether warpshare-node runs on those with GPUs"});
  EXPECT_EQ(PodLines(survey, {}), Lines{"no pod asks for cards"});
}

TEST_F(StockText, AsJsonHasTheSameInBytes) {
  const report::Stock stock = report::TakeStock(survey_);
  const auto nodes = json::Document::Parse(StockJson(stock, survey_, {}));
  const json::View card = (*nodes)["nodes"][size_t{0}]["cards"][size_t{0}];
  EXPECT_EQ(card["memory_allocated_bytes"].IntegerOr(0), int64_t{4} << 30);
  EXPECT_EQ(card["parts"][size_t{0}]["mode"].StringOr(""), "hard");
  EXPECT_EQ((*nodes)["totals"]["nodes_without_cards"].IntegerOr(0), 1);
  InspectOptions of_pods;
  of_pods.what = "pods";
  const auto pods = json::Document::Parse(StockJson(stock, survey_, of_pods));
  EXPECT_EQ((*pods)["pods"][size_t{0}]["node"].StringOr(""), "n1");
}

}  // namespace
}  // namespace warpshare::app

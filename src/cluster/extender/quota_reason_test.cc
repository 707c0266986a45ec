// A pod that may not have what there is room for.
#include <gtest/gtest.h>

#include "cluster/extender/verbs.h"
#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "pods/pod_json.h"

namespace warpshare::cluster {
namespace {

// Nothing on cards of one model.
struct Books final : HoldBooks {
  bool Limits(const std::string&) const override { return true; }
  std::optional<Error> Check(const Entry& entry,
                             const std::unordered_set<std::string>&) const override {
    ++asked;
    for (const place::HeldCard& card : entry.hold.cards) {
      const auto id = entry.ledger.FindCard(card.uuid);
      if (id && entry.ledger.models().Name(entry.ledger.card(*id).model) == "A100")
        return Error{Errc::kUnavailable, "quota: no A100 for you"};
    }
    return std::nullopt;
  }
  Result<void> Reserve(const Entry&) override { return {}; }
  void Count(const Entry&) override {}
  void CountAgain(const std::string&, const place::PodHold&, const place::Ledger&) override {}
  void Release(const std::string&) override {}

  mutable int asked = 0;
};

class QuotaReasonTest : public testing::Test {
 protected:
  QuotaReasonTest() {
    for (uint16_t node = 1; node <= 4; ++node) SetNode(node, node % 2 == 0 ? "T4" : "A100");
  }
  void SetNode(uint16_t number, const char* model) {
    const std::string node = NodeObject(number, CardsText(number, 1, model));
    view_.SetNode(NodeViewOf(json::Document::Parse(node)->root()));
  }
  json::Document Filter(const std::string& nodes) {
    const std::string body = R"({"Pod":)" + PodObject({.uid = "u"}) + "," + nodes + "}";
    const auto document = json::Document::Parse(body);
    return *json::Document::Parse(
        AnswerFilter(view_, lookup_, *ReadNodesArgs(document->root()), 1).text);
  }

  KeptLog log_;
  Books books_;
  ClusterView view_{log_, &books_};
  NodeLookup lookup_;
};

TEST_F(QuotaReasonTest, IsToldOfEachNodeAndNoEvictionIsTried) {
  const auto answer = Filter(R"("NodeNames": ["n1", "n2", "n3", "n4"])");
  EXPECT_EQ(answer["NodeNames"].Text(), R"(["n2","n4"])");
  EXPECT_EQ(answer["FailedNodes"].size(), 0u);
  EXPECT_EQ(answer["FailedAndUnresolvableNodes"].Text(),
            R"({"n1":"quota: no A100 for you","n3":"quota: no A100 for you"})");
}

TEST_F(QuotaReasonTest, IsAskedOnceForNodesThatAreAlike) {
  Filter(R"("NodeNames": ["n1", "n2", "n3", "n4"])");
  EXPECT_EQ(books_.asked, 2);
}

TEST_F(QuotaReasonTest, IsToldOfNodesThatAnAutoscalerMightMake) {
  const std::string node = NodeObject(9, CardsText(9, 1, "A100"));
  const auto answer = Filter(R"("Nodes": {"items": [)" + node + "]}");
  EXPECT_EQ(answer["FailedAndUnresolvableNodes"]["n9"].StringOr(""), "quota: no A100 for you");
}

}  // namespace
}  // namespace warpshare::cluster

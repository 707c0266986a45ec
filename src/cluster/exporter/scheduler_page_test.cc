#include "cluster/exporter/scheduler_page.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "cluster/inventory/testing/kept_log.h"
#include "pods/pod_json.h"

namespace warpshare::cluster {
namespace {

class SchedulerPageTest : public testing::Test {
 protected:
  SchedulerPageTest() {
    view_.SetNode(NodeViewOf(json::Document::Parse(NodeObject(1, CardsText(1, 2)))->root()));
  }
  void SetPod(const PodWords& words, const char* created = "", bool is_gated = false) {
    auto pod = pods::PodViewOf(json::Document::Parse(PodObject(words))->root());
    pod.queue.is_gated = is_gated;
    if (*created != '\0') pod.created_s = std::stoll(created);
    view_.SetPod(pod, false);
  }
  void Expect(const std::string& line) {
    EXPECT_NE(page_.Text().find(line + "\n"), std::string::npos) << line << "\n" << page_.Text();
  }

  KeptLog log_;
  ClusterView view_{log_};
  VerbStats verbs_;
  platform::MetricPage page_;
};

TEST_F(SchedulerPageTest, SaysHowLongAnswersTookAndWhyNodesWereRefused) {
  verbs_.verbs[0].latency.Count(std::chrono::microseconds(300));
  verbs_.verbs[0].latency.Count(std::chrono::seconds(11));
  verbs_.verbs[2].errors = 3;
  verbs_.refused_nodes[static_cast<size_t>(place::Reason::kNoMemory)] = 7;
  AddVerbs({.view = view_,
            .verbs = verbs_,
            .leads = true,
            .binding = 2,
            .expired = 4,
            .nominations = {.made = 9, .used = 8}},
           page_);
  Expect(R"(warpshare_scheduler_verb_seconds_bucket{verb="filter",le="0.0005"} 1)");
  Expect(R"(warpshare_scheduler_verb_seconds_bucket{verb="filter",le="+Inf"} 2)");
  Expect(R"(warpshare_scheduler_verb_errors_total{verb="bind"} 3)");
  Expect(R"(warpshare_scheduler_refused_nodes_total{reason="no_memory"} 7)");
  Expect("warpshare_scheduler_binding_pods 2");
  Expect("warpshare_scheduler_reservations_expired_total 4");
  Expect("warpshare_scheduler_nominations_total 9");
  Expect("warpshare_scheduler_nominations_used_total 8");
  Expect("warpshare_scheduler_leads 1");
  Expect("warpshare_scheduler_serves 0");
}

TEST_F(SchedulerPageTest, SaysWhoWaitsWhyAndHowLong) {
  SetPod({.name = "a", .uid = "a"}, "1000");
  SetPod({.name = "b", .uid = "b"}, "990");
  SetPod({.name = "c", .uid = "c"});
  verbs_.unplaced = {{"b", place::Reason::kQuota}, {"gone", place::Reason::kQuota}};
  AddQueue({.view = view_, .verbs = verbs_, .now_s = 1007}, page_);
  Expect(R"(warpshare_scheduler_waiting_pods{reason="none"} 2)");
  Expect(R"(warpshare_scheduler_waiting_pods{reason="quota"} 1)");
  Expect("warpshare_scheduler_oldest_waiting_seconds 17");
}

// As Kueue holds them back: nobody was to place them.
TEST_F(SchedulerPageTest, AGatedPodIsCountedApartAndIsOfNoAge) {
  SetPod({.name = "a", .uid = "a"}, "10", /*is_gated=*/true);
  SetPod({.name = "b", .uid = "b"}, "1000");
  AddQueue({.view = view_, .verbs = verbs_, .now_s = 1007}, page_);
  Expect(R"(warpshare_scheduler_waiting_pods{reason="gated"} 1)");
  Expect(R"(warpshare_scheduler_waiting_pods{reason="none"} 1)");
  Expect("warpshare_scheduler_oldest_waiting_seconds 7");
}

TEST_F(SchedulerPageTest, AClockThatIsBehindMakesNobodyYoungerThanNothing) {
  SetPod({.name = "a", .uid = "a"}, "2000");
  AddQueue({.view = view_, .verbs = verbs_, .now_s = 1000}, page_);
  Expect("warpshare_scheduler_oldest_waiting_seconds 0");
}

TEST_F(SchedulerPageTest, SaysWhatIsFreeAndWhatIsTakenTwice) {
  SetPod({.name = "a", .uid = "a", .node = "n1", .assignment = AssignmentText(1, 0)});
  SetPod({.name = "b",
          .uid = "b",
          .memory_gib = 16,
          .node = "n1",
          .assignment = AssignmentText(1, 1, "16GiB")});
  SetPod({.name = "c", .uid = "c", .node = "n1", .assignment = AssignmentText(1, 1)});
  SetPod({.name = "d", .uid = "d", .node = "n1"});
  AddLedger(view_, page_);
  Expect("warpshare_scheduler_cards 2");
  Expect("warpshare_scheduler_empty_cards 0");
  Expect("warpshare_scheduler_free_cards 0.75");
  Expect("warpshare_scheduler_overcommitted_cards 1");
  Expect("warpshare_scheduler_unreadable_pods 1");
  Expect(R"(warpshare_scheduler_node_memory_allocated_bytes{node="n1"} 25769803776)");
}

TEST_F(SchedulerPageTest, SaysWhatNamespacesMayHaveAndHave) {
  quota::QuotaBook book;
  book.SetQuotas({{"a", admit::LimitByModel{{"", {.cards = 8, .cores_percent = 150}},
                                            {"A100", {.memory = 8_GiB}}}}});
  book.Count("a", "u", {{"", {.cards = 2, .memory = 1_GiB, .cores_percent = 50}}});
  book.Count("b", "v", {{"", {.cards = 1}}});  // has no quota
  AddQuotas(book, page_);
  Expect(R"(warpshare_quota_cards_limit{namespace="a",model=""} 8)");
  Expect(R"(warpshare_quota_cards_used{namespace="a",model=""} 2)");
  Expect(R"(warpshare_quota_compute_limit_ratio{namespace="a",model=""} 1.5)");
  Expect(R"(warpshare_quota_compute_used_ratio{namespace="a",model=""} 0.5)");
  Expect(R"(warpshare_quota_memory_limit_bytes{namespace="a",model="A100"} 8589934592)");
  EXPECT_EQ(page_.Text().find(R"(namespace="b")"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::cluster

#include "platform/metrics/metric_page.h"

#include <gtest/gtest.h>

namespace warpshare::platform {
namespace {

constexpr MetricFamily kGauge{"a_bytes", "How many.", MetricKind::kGauge};
constexpr MetricFamily kCounter{"b_total", "How often.", MetricKind::kCounter};
constexpr MetricFamily kWaits{"c_seconds", "How long.", MetricKind::kHistogram};

TEST(MetricPage, SaysWhatEachFamilyIsOnceAndThenItsSamples) {
  MetricPage page;
  page.Add(kGauge, {{"card", "x"}}, 5);
  page.Add(kCounter, {}, 7);
  page.Add(kGauge, {{"card", "y"}}, 6);
  EXPECT_EQ(page.Text(),
            "# HELP a_bytes How many.\n# TYPE a_bytes gauge\n"
            "a_bytes{card=\"x\"} 5\na_bytes{card=\"y\"} 6\n"
            "# HELP b_total How often.\n# TYPE b_total counter\nb_total 7\n");
}

TEST(MetricPage, EscapesWhatATenantCallsItself) {
  MetricPage page;
  page.Add(kGauge, {{"tenant", "a\"} 1\nb{"}}, 1);
  EXPECT_NE(page.Text().find("a_bytes{tenant=\"a\\\"} 1\\nb{\"} 1\n"), std::string::npos)
      << page.Text();
}

TEST(MetricPage, AddsTheBucketsUp) {
  MetricPage page;
  page.Add(kWaits, {}, {.upper_bounds = {0.1, 0.2}, .counts = {3, 2, 1}, .sum = 0.9});
  const std::string text = page.Text();
  EXPECT_NE(text.find("c_seconds_bucket{le=\"0.1\"} 3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("c_seconds_bucket{le=\"0.2\"} 5\n"), std::string::npos) << text;
  EXPECT_NE(text.find("c_seconds_bucket{le=\"+Inf\"} 6\n"), std::string::npos) << text;
  EXPECT_NE(text.find("c_seconds_count 6\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace warpshare::platform

#include "node/tenancy/compute_limit.h"

#include <gtest/gtest.h>

namespace warpshare::node {
namespace {

using share::Mode;
using share::Priority;
using share::Terms;

TEST(ComputeLimit, IsTheSameOnThePageAndInWords) {
  const struct {
    ComputeLimit limit;
    const char* short_text;
    const char* long_text;
  } table[] = {
      {std::nullopt, "none", "none"},
      {Terms{.mode = Mode::kHard, .share_permille = 300, .burst_ns = 50'000'000}, "hard 30%",
       "hard 30%, burst 50ms"},
      {Terms{.mode = Mode::kSoft, .share_permille = 125, .weight = 2}, "soft 12.5% w2",
       "soft 12.5% w2"},
      {Terms{.mode = Mode::kSoft, .share_permille = 1000}, "soft 100%", "soft 100%"},
      {Terms{.mode = Mode::kWeighted, .weight = 4}, "weighted w4", "weighted w4"},
      {Terms{.mode = Mode::kPriority, .priority = Priority::kHigh, .latency_target_ns = 5'000'000},
       "high", "high, latency target 5ms"},
      {Terms{.mode = Mode::kPriority, .weight = 3}, "low w3", "low w3"},
  };
  for (const auto& [limit, short_text, long_text] : table) {
    EXPECT_EQ(ShortText(limit), short_text);
    EXPECT_EQ(LongText(limit), long_text);
    EXPECT_EQ(FromPage(OnPage(limit)), limit) << short_text;
  }
}

TEST(ComputeLimit, HasAShareForTheTimeWithoutAnArbiter) {
  EXPECT_EQ(OnPage(Terms{.mode = Mode::kWeighted}, 250).share_permille, 250u);
  EXPECT_EQ(OnPage(Terms{.mode = Mode::kHard, .share_permille = 300}, 250).share_permille, 300u);
}

TEST(ComputeLimit, IsChangedInPartOrLifted) {
  const ComputeLimit soft = Terms{.mode = Mode::kSoft, .share_permille = 300};
  EXPECT_EQ(LimitAfter({.is_lifted = true, .change = {}}, soft).value(), ComputeLimit());
  EXPECT_EQ(LimitAfter({.is_lifted = false, .change = {.share_permille = 500}}, soft).value(),
            ComputeLimit(Terms{.mode = Mode::kSoft, .share_permille = 500}));
  EXPECT_FALSE(LimitAfter({.is_lifted = false, .change = {.burst_ns = 1}}, std::nullopt));
}

}  // namespace
}  // namespace warpshare::node

#include "policy/share/standing.h"

#include <gtest/gtest.h>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

TEST(Standing, WhoHasNoWorkHasNoClaim) {
  OneTenant one({.mode = Mode::kPriority, .priority = Priority::kHigh});
  one.tenant.wants = false;
  EXPECT_EQ(StandingOf(one.Waiting()).claim, Claim::kNone);
}

TEST(Standing, AShortGapBetweenTwoKernelsDoesNotLoseTheCard) {
  constexpr Terms kWeighted{.mode = Mode::kWeighted};
  constexpr Terms kHigh{.mode = Mode::kPriority, .priority = Priority::kHigh};
  const struct {
    const char* when;
    Terms terms;
    bool holds;
    uint64_t idle_ns;
    uint64_t last_gap_ns;
    bool in_play;
  } table[] = {
      {"its gaps are short", kWeighted, true, 99'999, 10'000, true},
      {"this one is not", kWeighted, true, 100'000, 10'000, false},
      {"the last one was long", kWeighted, true, 10'000, 100'000, false},
      {"a high priority is waited for", kHigh, true, 99'999, 18'000'000, true},
      {"it has not got the card", kHigh, false, 10'000, 10'000, false},
  };
  for (const auto& row : table) {
    OneTenant one(row.terms);
    one.tenant.wants = false;
    one.tenant.since_ns = OneTenant::kNowNs - row.idle_ns;
    one.account.last_gap_ns = row.last_gap_ns;
    EXPECT_EQ(IsInPlay(one.As(row.holds)), row.in_play) << row.when;
  }
}

TEST(Standing, TheWaitBeginsWithTheWorkOrTheEndOfTheTurn) {
  OneTenant one({});
  one.tenant.since_ns = 10;
  one.account.held_until_ns = 20;
  EXPECT_EQ(WaitingSince(one.Waiting()), 20u);
  one.tenant.since_ns = 30;
  EXPECT_EQ(WaitingSince(one.Waiting()), 30u);
}

}  // namespace
}  // namespace warpshare::share

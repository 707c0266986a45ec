#include <gtest/gtest.h>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

TEST(Priority, HighClaimsTheCardAndLowTheGaps) {
  const OneTenant high({.mode = Mode::kPriority, .priority = Priority::kHigh});
  const OneTenant low({.mode = Mode::kPriority, .priority = Priority::kLow});
  EXPECT_EQ(StandingOfPriority(high.Waiting()).claim, Claim::kHigh);
  EXPECT_EQ(StandingOfPriority(low.Waiting()).claim, Claim::kSurplus);
}

TEST(Priority, SeveralHighOnesShareByWeight) {
  OneTenant ahead({.mode = Mode::kPriority, .priority = Priority::kHigh});
  ahead.account.progress = 1;
  const OneTenant behind({.mode = Mode::kPriority, .priority = Priority::kHigh});
  EXPECT_GT(StandingOfPriority(behind.Waiting()).merit, StandingOfPriority(ahead.Waiting()).merit);
}

}  // namespace
}  // namespace warpshare::share

#include <gtest/gtest.h>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

TEST(Weighted, TakesPartInWhatNobodyElseHasAClaimTo) {
  const OneTenant one({.mode = Mode::kWeighted, .weight = 3});
  for (const Candidate& candidate : {one.Waiting(), one.Holding(), one.Alone()}) {
    const Standing standing = StandingOfWeighted(candidate);
    EXPECT_EQ(standing.claim, Claim::kSurplus);
    EXPECT_EQ(standing.longest_ns, kNever);
    EXPECT_EQ(standing.stronger_in_ns, kNever);
  }
}

TEST(Weighted, TheLessProgressTheSooner) {
  OneTenant ahead({.mode = Mode::kWeighted});
  ahead.account.progress = 1;
  const OneTenant behind({.mode = Mode::kWeighted});
  EXPECT_GT(StandingOfWeighted(behind.Waiting()).merit, StandingOfWeighted(ahead.Waiting()).merit);
}

}  // namespace
}  // namespace warpshare::share

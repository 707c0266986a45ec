#include "policy/share/by_weight.h"

#include <gtest/gtest.h>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

TEST(ByWeight, TheSameTimeIsLessProgressForTheHeavier) {
  for (const uint32_t weight : {1u, 3u, 7u, 16u}) {
    OneTenant one({.mode = Mode::kWeighted, .weight = weight});
    ChargeProgress(one.tenant.terms, one.account, uint64_t{1'000} * weight);
    EXPECT_EQ(one.account.progress, 1'000 * kProgressPerNs);
  }
}

TEST(ByWeight, WhoIsLateCountsAsEightMillisecondsBehind) {
  OneTenant late({.mode = Mode::kWeighted, .weight = 4, .latency_target_ns = 1'000'000});
  OneTenant not_yet({.mode = Mode::kWeighted, .weight = 4, .latency_target_ns = 1'000'001});
  EXPECT_EQ(StandingByWeight(late.Waiting(), Claim::kSurplus).merit, 2'000'000 * kProgressPerNs);
  EXPECT_EQ(StandingByWeight(not_yet.Waiting(), Claim::kSurplus).merit, 0);
  EXPECT_EQ(StandingByWeight(late.Holding(), Claim::kSurplus).merit, 0);
}

TEST(ByWeight, ProgressIsMeasuredFromTheLastInPlayOfThePool) {
  OneTenant last({.mode = Mode::kWeighted});
  last.account.progress = 70;
  OneTenant ahead({.mode = Mode::kSoft, .share_permille = 100});
  ahead.account.progress = 100;
  OneTenant high({.mode = Mode::kPriority, .priority = Priority::kHigh});
  high.account.progress = 9;
  LastInPlay reference;
  for (const OneTenant* one : {&last, &ahead, &high}) reference.Meet(one->Waiting());
  for (OneTenant* one : {&last, &ahead, &high})
    reference.SettleProgress(one->Waiting(), one->account);
  EXPECT_EQ(last.account.progress, 0);
  EXPECT_EQ(ahead.account.progress, 30);
  EXPECT_EQ(high.account.progress, 0);
}

TEST(ByWeight, WhoIsIdleFallsBehindByItsBurstCreditAtMost) {
  const struct {
    uint64_t burst_ns;
    int64_t behind_ns;
  } table[] = {{0, 2'500'000}, {50'000'000, 50'000'000}};
  for (const auto& row : table) {
    OneTenant idle({.mode = Mode::kWeighted, .burst_ns = row.burst_ns});
    idle.tenant.wants = false;
    OneTenant busy({.mode = Mode::kWeighted});
    busy.account.progress = 900'000'000 * kProgressPerNs;
    LastInPlay reference;
    reference.Meet(idle.Waiting());
    reference.Meet(busy.Waiting());
    reference.SettleProgress(idle.Waiting(), idle.account);
    EXPECT_EQ(idle.account.progress, -row.behind_ns * kProgressPerNs);
  }
}

TEST(ByWeight, HardTakesNoPart) {
  OneTenant hard({.mode = Mode::kHard, .share_permille = 100});
  hard.account.progress = 5;
  LastInPlay().SettleProgress(hard.Waiting(), hard.account);
  EXPECT_EQ(hard.account.progress, 0);
}

}  // namespace
}  // namespace warpshare::share

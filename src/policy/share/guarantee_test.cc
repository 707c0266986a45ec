#include "policy/share/guarantee.h"

#include <gtest/gtest.h>

#include <utility>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

constexpr Terms kHalf{.mode = Mode::kHard, .share_permille = 500};

TEST(Guarantee, IsOverdueSinceTheBalanceWasWorthATurn) {
  OneTenant one(kHalf);
  one.account.balance = Owed(3'000'000);
  EXPECT_EQ(Overdue(kHalf, one.account), 2'000'000);  // 1 ms at one half
  one.account.balance = Owed(0);
  EXPECT_EQ(Overdue(kHalf, one.account), -4'000'000);
}

TEST(Guarantee, LargeSharesComeInBetweenSmallOnes) {
  OneTenant large({.mode = Mode::kHard, .share_permille = 500});  // due within 5 ms
  OneTenant small({.mode = Mode::kHard, .share_permille = 100});  // within 25 ms
  large.account.balance = Owed(2'000'000);
  small.account.balance = Owed(2'000'000 + 1'900'000);  // 19 ms overdue
  EXPECT_GT(StandingByGuarantee(large.Waiting()).merit, StandingByGuarantee(small.Waiting()).merit);
  small.account.balance = Owed(2'000'000 + 2'100'000);
  EXPECT_LT(StandingByGuarantee(large.Waiting()).merit, StandingByGuarantee(small.Waiting()).merit);
}

TEST(Guarantee, WhoHadItsPartGoesAfterThoseThatHadLess) {
  OneTenant large({.mode = Mode::kHard, .share_permille = 600});
  OneTenant small({.mode = Mode::kHard, .share_permille = 50});  // its deadline is as far as any
  large.account.balance = Owed(2'000'000 + 6'000'000);           // 10 ms overdue
  small.account.balance = Owed(2'000'000 + 1'000'000);           // 20 ms
  MeanOverdue mean;
  mean.Meet(large.Waiting());
  mean.Meet(small.Waiting());
  EXPECT_EQ(mean.Ns(), 10'769'230);  // 7 ms by 65 %
  const auto merit = [&mean](const OneTenant& one) {
    Candidate candidate = one.Waiting();
    candidate.mean_overdue_ns = mean.Ns();
    return StandingByGuarantee(candidate).merit;
  };
  EXPECT_LT(merit(large), merit(small));
  EXPECT_GT(StandingByGuarantee(large.Waiting()).merit, StandingByGuarantee(small.Waiting()).merit);
}

// 10 ms owed, as its share of 20 ms and a turn.
OneTenant Behind() {
  OneTenant one(kHalf);
  one.account.balance = Owed(12'000'000);
  return one;
}

void Settle(const Candidate& candidate, Account& account) {
  SettleBalance(candidate, account, Overdue(candidate.tenant.terms, account));
}

TEST(Guarantee, WhoIsAloneHasAllButALittleDeferred) {
  for (const bool holds : {false, true}) {
    OneTenant one = Behind();
    one.account.was_charged = holds;
    Settle(one.As(holds), one.account);
    EXPECT_EQ(one.account.balance, Owed(12'000'000));
    Settle(one.As(holds, /*alone=*/true), one.account);
    EXPECT_EQ(one.account.balance, Owed(2'000'000));
    EXPECT_EQ(one.account.deferred, Owed(10'000'000));
  }
}

TEST(Guarantee, WhoseKernelIsNotChargedYetHasNothingDeferred) {
  OneTenant one = Behind();
  Settle(one.As(/*holds=*/true, /*alone=*/true), one.account);
  EXPECT_EQ(one.account.balance, Owed(12'000'000));
}

TEST(Guarantee, WhatIsDeferredComesBackSlowly) {
  OneTenant one(kHalf);
  one.account.deferred = Owed(1'000'000);
  CreditBalance(kHalf, one.account, 100'000'000);
  EXPECT_EQ(one.account.balance, Owed(50'000'000 + 500'000));
  CreditBalance(kHalf, one.account, 100'000'000);
  EXPECT_EQ(one.account.balance, Owed(100'000'000 + 1'000'000));
  EXPECT_EQ(one.account.deferred, 0);
}

TEST(Guarantee, WhatIsDeferredIsOwedAtOnceWhenOthersHaveWork) {
  OneTenant one = Behind();
  Settle(one.Alone(), one.account);
  Settle(one.Waiting(), one.account);
  EXPECT_EQ(one.account.balance, Owed(12'000'000));
  EXPECT_EQ(one.account.deferred, 0);
}

TEST(Guarantee, NoMoreIsDeferredThanIsOwedBesideOthers) {
  OneTenant one = Behind();
  one.account.deferred = Owed(12'000'000);
  Settle(one.Alone(), one.account);
  EXPECT_EQ(one.account.deferred, Owed(12'500'000));  // the share of 25 ms
}

TEST(Guarantee, TheMeanIsOfThoseThatWantTheirShare) {
  OneTenant idle(kHalf);
  idle.tenant.wants = false;
  OneTenant in_surplus({.mode = Mode::kSoft, .share_permille = 500});
  in_surplus.account.claim = Claim::kSurplus;
  const OneTenant without({.mode = Mode::kWeighted});
  MeanOverdue mean;
  mean.Meet(idle.Waiting());
  mean.Meet(in_surplus.Holding());
  mean.Meet(without.Waiting());
  EXPECT_EQ(mean.Ns(), 0);
}

TEST(Guarantee, ATurnMayLastUntilTheBalanceIsSpent) {
  const struct {
    uint32_t share_permille;
    uint64_t longest_ns;
  } table[] = {{500, 4'000'000}, {900, 20'000'000}, {1, 2'002'002}, {1000, kNever}};
  for (const auto& row : table) {
    OneTenant one({.mode = Mode::kHard, .share_permille = row.share_permille});
    one.account.balance = Owed(2'000'000);
    EXPECT_EQ(StandingByGuarantee(one.Waiting()).longest_ns, row.longest_ns);
  }
}

TEST(Guarantee, AnOwnerThatComesBackGoesBeforeThoseThatRunAlready) {
  OneTenant back(kHalf);
  back.account.balance = Owed(2'000'000);
  OneTenant busy(kHalf);
  busy.account.balance = Owed(10'000'000);
  back.account.held_until_ns = back.tenant.since_ns - 1;
  EXPECT_GT(StandingByGuarantee(back.Waiting()).merit, StandingByGuarantee(busy.Waiting()).merit);
  back.account.held_until_ns = OneTenant::kNowNs;
  EXPECT_LT(StandingByGuarantee(back.Waiting()).merit, StandingByGuarantee(busy.Waiting()).merit);
}

TEST(Guarantee, BeingLateHelpsNobodyBeyondItsShare) {
  OneTenant late(kHalf);
  late.tenant.terms.latency_target_ns = 500'000;
  late.account.balance = Owed(1'999'999);
  EXPECT_EQ(StandingByGuarantee(late.Waiting()).claim, Claim::kNone);
}

TEST(Guarantee, WhatIdleTimeAddsIsATurnsWorthAndThenSavings) {
  OneTenant idle({.mode = Mode::kHard, .share_permille = 500, .burst_ns = 3'000'000});
  idle.tenant.wants = false;
  idle.tenant.since_ns = OneTenant::kNowNs - 2'000'000;
  idle.account.balance = Owed(2'750'000);
  SettleBalance(idle.Waiting(), idle.account, 0);
  EXPECT_EQ(idle.account.balance, Owed(750'000));
  EXPECT_EQ(idle.account.saved, Owed(2'000'000));
  idle.account.balance = Owed(9'000'000);
  SettleBalance(idle.Waiting(), idle.account, 0);
  EXPECT_EQ(idle.account.saved, Owed(3'000'000));
}

TEST(Guarantee, WhoIsIdleComesBackAsFarBehindAsTheOthersAre) {
  OneTenant idle(kHalf);
  idle.tenant.wants = false;
  idle.tenant.since_ns = OneTenant::kNowNs - 2'000'000;
  idle.account.balance = Owed(50'000'000);
  SettleBalance(idle.Waiting(), idle.account, 4'000'000);
  EXPECT_EQ(idle.account.balance, Owed(750'000 + 2'000'000));
}

TEST(Guarantee, WhoOnlyPausesKeepsATurnsWorthOfWhatItWasOwed) {
  OneTenant pausing(kHalf);
  pausing.tenant.wants = false;
  pausing.tenant.since_ns = OneTenant::kNowNs - 1'999'999;
  pausing.account.balance = Owed(9'000'000);
  SettleBalance(pausing.Waiting(), pausing.account, 0);
  EXPECT_EQ(pausing.account.balance, Owed(2'000'000));
  pausing.account.balance = Owed(500'000);
  SettleBalance(pausing.Waiting(), pausing.account, 0);
  EXPECT_EQ(pausing.account.balance, Owed(500'000));
}

TEST(Guarantee, WhoComesIsJudgedByHowLongItWasIdle) {
  for (const auto& [idle_ns, balance_ns] :
       {std::pair{1'999'999, 2'000'000}, {2'000'000, 750'000}}) {
    OneTenant come(kHalf);
    come.tenant.since_ns = OneTenant::kNowNs;
    come.account.wants = false;
    come.account.since_ns = OneTenant::kNowNs - idle_ns;
    come.account.balance = Owed(9'000'000);
    SettleBalance(come.Waiting(), come.account, 0);
    EXPECT_EQ(come.account.balance, Owed(balance_ns)) << idle_ns;
  }
}

TEST(Guarantee, WhatNobodyCanGetIsForgottenAlikeByAll) {
  OneTenant one(kHalf);
  one.account.balance = Owed(40'000'000);
  SettleBalance(one.Waiting(), one.account, 25'000'000 + 6'000'000);
  EXPECT_EQ(one.account.balance, Owed(40'000'000 - 3'000'000));
}

TEST(Guarantee, WhoRunsInIdleTimeIsOwedNothingForIt) {
  OneTenant soft({.mode = Mode::kSoft, .share_permille = 500, .burst_ns = 9'000'000});
  soft.account.claim = Claim::kSurplus;
  soft.account.balance = Owed(5'000'000);
  SettleBalance(soft.Holding(), soft.account, 0);
  EXPECT_EQ(soft.account.balance, Owed(2'000'000));
  EXPECT_EQ(soft.account.saved, 0);
}

TEST(Guarantee, SavingsPayUntilTheyAreSpentThenTheShareDoes) {
  OneTenant one(kHalf);
  one.account.saved = Owed(1'000'000);
  ChargeSaved(one.account, 3'000'000);
  EXPECT_EQ(one.account.saved, 0);
  EXPECT_EQ(one.account.balance, Owed(-2'000'000));
}

TEST(Guarantee, DebtHasABound) {
  OneTenant one(kHalf);
  ChargeBalance(one.account, 60'000'000'000);
  EXPECT_EQ(one.account.balance, Owed(-10'000'000'000));
}

TEST(Guarantee, ATenantThatLostItsGuaranteeKeepsNoBalance) {
  OneTenant one({.mode = Mode::kWeighted});
  one.account.balance = Owed(-9'000'000);
  one.account.saved = Owed(9'000'000);
  SettleBalance(one.Waiting(), one.account, 0);
  EXPECT_EQ(one.account.balance, Owed(750'000));
  EXPECT_EQ(one.account.saved, 0);
}

}  // namespace
}  // namespace warpshare::share

#include "policy/share/accounts.h"

#include <gtest/gtest.h>

#include <vector>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

constexpr Terms kThird{.mode = Mode::kHard, .share_permille = 333};
constexpr Terms kWeighted{.mode = Mode::kWeighted};

Tenant Wants(TenantId id, const Terms& terms, uint64_t used_ns = 0) {
  return {.id = id, .terms = terms, .wants = true, .since_ns = 0, .used_ns = used_ns};
}

Turn TurnOf(TenantId id, Claim claim, uint64_t begun_used_ns = 0) {
  return {.tenant = id, .claim = claim, .begun_used_ns = begun_used_ns, .quantum_ns = 2'000'000};
}

// Advances one set of accounts step by step.
class Course {
 public:
  explicit Course(std::vector<Tenant> tenants) { To(0, std::nullopt, std::move(tenants)); }

  void To(uint64_t now_ns, std::optional<Turn> turn, std::vector<Tenant> tenants) {
    Advance(accounts_, {.now_ns = now_ns, .turn = turn, .tenants = tenants});
  }
  const Account& Of(TenantId id) const { return *accounts_.Find(id); }
  const Accounts& accounts() const { return accounts_; }

 private:
  Accounts accounts_;
};

TEST(Accounts, TimeIsCreditedAndUseChargedToThePermilleOfANanosecond) {
  Course course({Wants(1, kThird)});
  course.To(1'000'001, TurnOf(1, Claim::kGuaranteed), {Wants(1, kThird, 7)});
  EXPECT_EQ(course.Of(1).balance, Owed(750'000) + 1'000'001 * 333 - Owed(7));
}

TEST(Accounts, AnOverrunIsPaidBackWheneverItIsKnown) {
  Course course({Wants(1, kThird), Wants(2, kWeighted)});
  course.To(1'000, TurnOf(1, Claim::kGuaranteed), {Wants(1, kThird), Wants(2, kWeighted)});
  // Its last kernel ends in somebody else's turn.
  course.To(2'000, TurnOf(2, Claim::kSurplus), {Wants(1, kThird, 20'000'000), Wants(2, kWeighted)});
  EXPECT_EQ(course.Of(1).balance, Owed(750'000) + 2'000 * 333 - Owed(20'000'000));
}

TEST(Accounts, IdleTimeThatASoftTenantUsesIsNotTakenFromItsShare) {
  constexpr Terms kSoft{.mode = Mode::kSoft, .share_permille = 500};
  Course course({Wants(1, kSoft), Wants(2, kWeighted)});
  course.To(1'000, TurnOf(1, Claim::kSurplus), {Wants(1, kSoft, 1'000), Wants(2, kWeighted)});
  EXPECT_EQ(course.Of(1).balance, Owed(2'000'000));
  EXPECT_EQ(course.Of(1).progress, 1'000 * kProgressPerNs);
}

TEST(Accounts, SavingsPayForABurst) {
  constexpr Terms kSaving{.mode = Mode::kHard, .share_permille = 500, .burst_ns = 1'000'000'000};
  Tenant idle = Wants(1, kSaving);
  idle.wants = false;
  Course course({idle});
  course.To(2'000'000, std::nullopt, {idle});
  EXPECT_EQ(course.Of(1).saved, Owed(1'000'000));
  course.To(2'000'000, TurnOf(1, Claim::kBurst), {Wants(1, kSaving, 400'000)});
  EXPECT_EQ(course.Of(1).saved, Owed(600'000));
  EXPECT_EQ(course.Of(1).balance, Owed(750'000));
}

TEST(Accounts, WhoKeepsTheCardWithoutUsingItPaysForThreeQuartersOfTheTime) {
  const struct {
    const char* when;
    uint64_t used_ns;
    bool other_wants;
    int64_t charged_ns;
  } table[] = {
      {"somebody waits", 100'000, true, 750'000},
      {"nobody waits", 100'000, false, 100'000},
      {"it is nearly always busy", 990'000, true, 990'000},
  };
  for (const auto& row : table) {
    Tenant other = Wants(2, kWeighted);
    other.wants = row.other_wants;
    Course course({Wants(1, kWeighted), other});
    course.To(1'000'000, TurnOf(1, Claim::kSurplus), {Wants(1, kWeighted, row.used_ns), other});
    EXPECT_EQ(course.Of(1).turn_charged_ns, static_cast<uint64_t>(row.charged_ns)) << row.when;
  }
}

TEST(Accounts, NobodyPaysForHoldingACardThatIsStillAtAnothersWork) {
  const std::vector<Tenant> tenants = {Wants(1, kWeighted), Wants(2, kWeighted)};
  Accounts accounts;
  Advance(accounts, {.now_ns = 0, .turn = std::nullopt, .tenants = tenants});
  const Turn turn = TurnOf(1, Claim::kSurplus);
  Advance(accounts,
          {.now_ns = 1'000'000, .turn = turn, .tenants = tenants, .is_card_anothers = true});
  EXPECT_EQ(accounts.Find(1)->turn_charged_ns, 0u);
  Advance(accounts, {.now_ns = 2'000'000, .turn = turn, .tenants = tenants});
  EXPECT_EQ(accounts.Find(1)->turn_charged_ns, 750'000u);
}

TEST(Accounts, WhatWasPaidForHoldingIsNotPaidAgainWhenTheKernelEnds) {
  const Tenant other = Wants(2, kWeighted);
  Course course({Wants(1, kThird), other});
  const Turn turn = TurnOf(1, Claim::kGuaranteed);
  course.To(4'000'000, turn, {Wants(1, kThird, 0), other});
  course.To(5'000'000, turn, {Wants(1, kThird, 5'000'000), other});
  EXPECT_EQ(course.Of(1).balance, Owed(750'000) + 5'000'000 * 333 - Owed(5'000'000));
}

TEST(Accounts, NewTenantsOweNothingForWhatTheyUsedBefore) {
  Course course({Wants(7, kWeighted)});
  course.To(5, std::nullopt, {Wants(7, kWeighted), Wants(3, kThird, 9'000'000'000)});
  EXPECT_EQ(course.Of(3).balance, Owed(750'000));
  EXPECT_EQ(course.Of(3).used_ns, 9'000'000'000u);
}

TEST(Accounts, AreThoseOfTheTenantsThatAreThere) {
  Course course({Wants(9, kThird), Wants(4, kThird), Wants(6, kThird)});
  course.To(5, std::nullopt, {Wants(6, kThird), Wants(2, kThird), Wants(9, kThird)});
  std::vector<TenantId> ids;
  for (const Account& account : course.accounts().tenants) ids.push_back(account.tenant);
  EXPECT_EQ(ids, (std::vector<TenantId>{2, 6, 9}));
  EXPECT_EQ(course.accounts().Find(4), nullptr);
}

TEST(Accounts, AUsageThatBeginsAnewIsNotCharged) {
  Course course({Wants(1, kThird, 5'000'000)});
  course.To(1'000, TurnOf(1, Claim::kGuaranteed), {Wants(1, kThird, 10)});
  EXPECT_EQ(course.Of(1).balance, Owed(750'000) + 1'000 * 333);
  EXPECT_EQ(course.Of(1).used_ns, 10u);
}

// They kept to their static shares meanwhile, and nobody owes anybody for it.
TEST(Accounts, WhatIsUsedWhileTheArbiterIsAwayIsOnNobodysAccount) {
  for (const uint64_t away_ns : {500'000'000ul, 86'400'000'000'000ul}) {
    Course course({Wants(1, kThird), Wants(2, kWeighted), Wants(3, kWeighted)});
    const Account before = course.Of(1);
    course.To(away_ns, TurnOf(2, Claim::kSurplus),
              {Wants(1, kThird, away_ns / 3), Wants(2, kWeighted, away_ns / 2),
               Wants(3, kWeighted, away_ns / 6)});
    EXPECT_EQ(course.Of(1).balance, before.balance);
    EXPECT_EQ(course.Of(2).progress, course.Of(3).progress);
    course.To(away_ns + 1'000, TurnOf(2, Claim::kSurplus),
              {Wants(1, kThird, away_ns / 3), Wants(2, kWeighted, away_ns / 2 + 1'000),
               Wants(3, kWeighted, away_ns / 6)});
    EXPECT_EQ(course.Of(2).progress - course.Of(3).progress, 1'000 * kProgressPerNs);
  }
}

TEST(Accounts, RememberHowLongATenantIsOutOfWork) {
  Tenant tenant = Wants(1, kWeighted);
  Course course({tenant});
  tenant.wants = false;
  tenant.since_ns = 100;
  course.To(150, std::nullopt, {tenant});
  tenant.wants = true;
  tenant.since_ns = 170;
  course.To(180, std::nullopt, {tenant});
  EXPECT_EQ(course.Of(1).last_gap_ns, 70u);
}

}  // namespace
}  // namespace warpshare::share

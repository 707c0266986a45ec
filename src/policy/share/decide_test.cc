#include "policy/share/decide.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

constexpr uint64_t kNow = 1'000'000'000;
constexpr Terms kHalf{.mode = Mode::kHard, .share_permille = 500};
constexpr Terms kSoftHalf{.mode = Mode::kSoft, .share_permille = 500};
constexpr Terms kWeighted{.mode = Mode::kWeighted};
constexpr Terms kLow{.mode = Mode::kPriority, .priority = Priority::kLow};
constexpr Terms kHigh{.mode = Mode::kPriority, .priority = Priority::kHigh};

// Tenants that have waited for 1 ms, with the accounts that a case says.
class Card {
 public:
  Account& Add(TenantId id, const Terms& terms) {
    tenants_.push_back(
        {.id = id, .terms = terms, .wants = true, .since_ns = kNow - 1'000'000, .used_ns = 0});
    accounts_.tenants.push_back(
        {.tenant = id, .used_ns = 0, .balance = 0, .held_until_ns = kNow - 1'000'000});
    return accounts_.tenants.back();
  }
  Account& AccountOf(TenantId id) { return accounts_.tenants[id - 1]; }
  Tenant& Last() { return tenants_.back(); }
  void Holds(TenantId id, Claim claim, uint64_t quantum_ns = 2'000'000) {
    turn_ = {.tenant = id, .claim = claim, .begun_used_ns = 0, .quantum_ns = quantum_ns};
  }
  void LeavesGaps(TenantId id) {
    accounts_.shared.are_on = true;
    AccountOf(id).company.leaves_gaps = true;
  }
  void Reverse() { std::ranges::reverse(tenants_); }

  Decision Decide() const {
    return share::Decide({.now_ns = kNow, .turn = turn_, .tenants = tenants_}, accounts_);
  }
  std::optional<Turn> turn() const { return turn_; }

 private:
  std::optional<Turn> turn_;
  std::vector<Tenant> tenants_;
  Accounts accounts_;
};

TEST(Decide, AnEmptyCardStaysIdle) { EXPECT_EQ(Card().Decide(), Decision{}); }

TEST(Decide, TheStrongestClaimGoesFirst) {
  Card card;
  card.Add(1, kLow);
  card.Add(2, kSoftHalf).saved = Owed(5'000'000);
  card.Add(3, kHalf).balance = Owed(2'000'000);
  card.Add(4, kHigh);
  EXPECT_EQ(card.Decide().turn, (Turn{4, Claim::kHigh, 0, 2'500'000}));
  card.Last().wants = false;
  EXPECT_EQ(card.Decide().turn, (Turn{3, Claim::kGuaranteed, 0, 2'500'000}));
}

TEST(Decide, ASoftOwnerWhoIsBackDoesNotWaitForAnothersGuaranteedTurn) {
  Card card;
  card.Add(1, kSoftHalf).balance = Owed(2'500'000);
  card.Holds(1, Claim::kGuaranteed);
  card.Add(2, kSoftHalf).balance = Owed(2'000'000);
  card.AccountOf(2).held_until_ns = kNow - 50'000'000;
  EXPECT_EQ(card.Decide().turn->tenant, 2u);
  card.AccountOf(2).held_until_ns = kNow - 1'000'000;
  EXPECT_EQ(card.Decide().turn->tenant, 1u) << "it was served since it came";
}

TEST(Decide, SavingsGoBeforeIdleTime) {
  Card card;
  card.Add(1, kWeighted);
  card.Add(2, kHalf).saved = Owed(1'000'000);
  EXPECT_EQ(card.Decide().turn, (Turn{2, Claim::kBurst, 0, 1'000'000}));
}

TEST(Decide, TheOrderOfTheSnapshotMakesNoDifference) {
  for (const Terms& terms : {kHalf, kSoftHalf, kWeighted, kLow, kHigh}) {
    Card card;
    for (const TenantId id : {1, 2, 3}) card.Add(id, terms).balance = Owed(2'000'000);
    const Decision decision = card.Decide();
    EXPECT_EQ(decision.turn->tenant, 1u);
    card.Reverse();
    EXPECT_EQ(card.Decide(), decision);
  }
}

TEST(Decide, ATurnThatIsNotOverGoesOn) {
  Card card;
  card.Add(1, kWeighted).progress = 50;
  card.Add(2, kWeighted);
  card.Holds(1, Claim::kSurplus);
  EXPECT_EQ(card.Decide().turn, card.turn());
  EXPECT_EQ(card.Decide().look_again_ns, kNow + 2'000'000);
}

TEST(Decide, ATurnThatIsOverGoesToTheNext) {
  Card card;
  Account& first = card.Add(1, kWeighted);
  first.progress = 50;
  first.turn_charged_ns = 2'000'000;
  card.Holds(1, Claim::kSurplus);
  card.Add(2, kWeighted);
  EXPECT_EQ(card.Decide().turn->tenant, 2u);
}

TEST(Decide, AStrongerClaimEndsATurn) {
  Card card;
  card.Add(1, kWeighted);
  card.Add(2, kSoftHalf).balance = Owed(2'000'000);
  card.Holds(1, Claim::kSurplus);
  EXPECT_EQ(card.Decide().turn->tenant, 2u);
}

TEST(Decide, AnEqualClaimDoesNot) {
  Card card;
  card.Add(1, kSoftHalf).balance = Owed(750'000);
  card.Add(2, kSoftHalf).balance = Owed(9'000'000);
  card.Holds(1, Claim::kGuaranteed);
  EXPECT_EQ(card.Decide().turn, card.turn());
}

TEST(Decide, HardWaitsOnAnIdleCardAndIsLookedAtWhenItIsDue) {
  Card card;
  card.Add(1, kHalf).balance = Owed(250'000);
  EXPECT_EQ(card.Decide(), (Decision{.turn = std::nullopt, .look_again_ns = kNow + 1'000'001}));
}

TEST(Decide, OthersAreLookedAtWhenAHardShareIsDue) {
  Card card;
  card.Add(1, kHalf).balance = Owed(1'500'000);
  card.Add(2, kWeighted);
  const Decision decision = card.Decide();
  EXPECT_EQ(decision.turn, (Turn{2, Claim::kSurplus, 0, 100'000'000}));
  EXPECT_EQ(decision.look_again_ns, kNow + 1'000'001);
}

TEST(Decide, AloneATurnIsLongAndRenewedBeforeItEnds) {
  for (const Terms& terms : {kSoftHalf, kWeighted, kLow, kHigh}) {
    Card card;
    card.Add(1, terms).turn_charged_ns = 50'000'000;
    card.Last().used_ns = 50'000'000;
    card.Holds(1, IsHigh(terms) ? Claim::kHigh : Claim::kSurplus, 100'000'000);
    const Decision decision = card.Decide();
    EXPECT_EQ(decision.turn->begun_used_ns, 50'000'000u);
    EXPECT_EQ(decision.turn->quantum_ns, 100'000'000u);
    EXPECT_EQ(decision.look_again_ns, kNow + 50'000'000);
  }
}

TEST(Decide, ALongTurnIsCutWhenSomebodyComes) {
  Card card;
  card.Add(1, kWeighted);
  card.Last().used_ns = 30'000'000;
  card.Holds(1, Claim::kSurplus, 100'000'000);
  card.Add(2, kWeighted);
  const Decision decision = card.Decide();
  EXPECT_EQ(decision.turn, (Turn{1, Claim::kSurplus, 30'000'000, 2'500'000}));
  EXPECT_EQ(decision.look_again_ns, kNow + 2'500'000);
}

TEST(Decide, AHolderThatIsOutOfWorkForAMomentKeepsTheCardSoLong) {
  Card card;
  card.Add(1, kWeighted);
  card.Last().wants = false;
  card.Last().since_ns = kNow - 20'000;
  card.Holds(1, Claim::kSurplus);
  card.Add(2, kWeighted);
  const Decision decision = card.Decide();
  EXPECT_EQ(decision.turn, card.turn());
  EXPECT_EQ(decision.look_again_ns, kNow + 80'000);
}

TEST(Decide, WhileTurnsAreSharedThoseThatLeaveGapsRunBesideTheTurnOfOthers) {
  Card card;
  for (TenantId id : {1, 2, 3}) card.Add(id, kHalf).balance = Owed(2'000'000);
  card.LeavesGaps(1);
  EXPECT_EQ(card.Decide().turn->tenant, 2u);
  EXPECT_EQ(card.Decide().beside, (std::vector<Turn>{{1, Claim::kGuaranteed, 0, 4'000'000}}));
  card.LeavesGaps(2);
  card.LeavesGaps(3);
  EXPECT_EQ(card.Decide().beside.size(), 2u);
}

TEST(Decide, WhoHasNoClaimDoesNotRunBesideOthers) {
  Card card;
  card.Add(1, kHalf).balance = Owed(2'000'000);
  card.Add(2, kHalf);  // has used up its part
  card.LeavesGaps(2);
  EXPECT_TRUE(card.Decide().beside.empty());
}

TEST(Decide, WhoIsAheadByWeightDoesNotRunBesideThoseThatTakeTurns) {
  Card card;
  card.Add(1, kWeighted).progress = 3'000'000 * kProgressPerNs;
  card.Add(2, kWeighted);
  card.LeavesGaps(1);
  EXPECT_TRUE(card.Decide().beside.empty());
  EXPECT_LE(card.Decide().look_again_ns, kNow + 2'500'000);
  card.AccountOf(1).progress = 2'000'000 * kProgressPerNs;
  EXPECT_EQ(card.Decide().beside.size(), 1u);
}

TEST(Decide, ATenantWithoutAnAccountIsLeftOut) {
  const std::vector<Tenant> stranger = {
      {.id = 1, .terms = kWeighted, .wants = true, .since_ns = 0, .used_ns = 0}};
  EXPECT_EQ(Decide({.now_ns = kNow, .turn = std::nullopt, .tenants = stranger}, {}), Decision{});
}

}  // namespace
}  // namespace warpshare::share

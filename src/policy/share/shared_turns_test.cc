#include "policy/share/shared_turns.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "policy/share/decide.h"
#include "policy/share/timing.h"

namespace warpshare::share {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr Terms kHalf{.mode = Mode::kHard, .share_permille = 500};

// Two tenants that always have work. Who has the card in turns uses so many percent of the time;
// when it is shared, each so many of all of it.
struct Uses {
  uint64_t in_turns = 40;
  uint64_t shared = 40;
};

class Pair {
 public:
  explicit Pair(Uses first, Uses second, const Terms& terms = kHalf)
      : uses_{first, second},
        tenants_{{.id = 1, .terms = terms, .wants = true, .since_ns = 0, .used_ns = 0},
                 {.id = 2, .terms = kHalf, .wants = true, .since_ns = 0, .used_ns = 0}} {}

  // In steps of a millisecond.
  void Pass(uint64_t ms) {
    for (; ms > 0; --ms) {
      now_ns_ += kMs;
      for (size_t i = 0; i < tenants_.size(); ++i) Use(i);
      Step();
    }
  }
  bool IsShared() const { return accounts_.shared.are_on; }
  // How long it takes until turns are shared, or are not any more.
  uint64_t PassUntil(bool is_shared, uint64_t at_most_ms) {
    uint64_t passed_ms = 0;
    for (; IsShared() != is_shared && passed_ms < at_most_ms; ++passed_ms) Pass(1);
    return passed_ms;
  }
  void SetUses(size_t tenant, Uses uses) { uses_[tenant] = uses; }
  void StopWork(size_t tenant) {
    tenants_[tenant].wants = false;
    tenants_[tenant].since_ns = now_ns_;
  }
  const Decision& decision() const { return decision_; }
  int64_t BalanceNs(TenantId id) const { return accounts_.Find(id)->balance / kBalancePerNs; }

 private:
  void Use(size_t i) {
    const TenantId id = tenants_[i].id;
    if (!tenants_[i].wants || TurnOf(decision_.turn, decision_.beside, id) == nullptr) return;
    const bool is_beside = !decision_.beside.empty();
    tenants_[i].used_ns += kMs / 100 * (is_beside ? uses_[i].shared : uses_[i].in_turns);
  }
  void Step() {
    const Decision last = decision_;
    const Snapshot snapshot{
        .now_ns = now_ns_, .turn = last.turn, .tenants = tenants_, .beside = last.beside};
    Advance(accounts_, snapshot);
    decision_ = Decide(snapshot, accounts_);
  }

  std::vector<Uses> uses_;
  std::vector<Tenant> tenants_;
  Accounts accounts_;
  Decision decision_;
  uint64_t now_ns_ = 1'000 * kMs;
};

TEST(SharedTurns, BeginWhereATenantLeftGapsTwiceAndGoOnWhereAllHaveMoreByThem) {
  Pair pair({}, {});
  pair.Pass(150);
  EXPECT_FALSE(pair.IsShared());
  EXPECT_LE(pair.PassUntil(true, 200), 100u);
  pair.Pass(1);
  EXPECT_EQ(pair.decision().beside.size(), 1u);
  // Tried, measured in turns, and then for longer.
  EXPECT_NEAR(static_cast<double>(pair.PassUntil(false, 1'000)), 100, 5);
  EXPECT_NEAR(static_cast<double>(pair.PassUntil(true, 1'000)), 100, 10);
  EXPECT_NEAR(static_cast<double>(pair.PassUntil(false, 2'000)), 900, 5);
}

TEST(SharedTurns, AreNotTriedWhereTurnsAreUsed) {
  Pair pair({.in_turns = 90}, {.in_turns = 76});
  EXPECT_EQ(pair.PassUntil(true, 3'000), 3'000u);
}

TEST(SharedTurns, LeaveTheTurnToWhoUsesItAll) {
  Pair pair({}, {.in_turns = 100, .shared = 55});
  pair.PassUntil(true, 500);
  pair.Pass(1);
  ASSERT_TRUE(pair.IsShared());
  EXPECT_EQ(pair.decision().turn->tenant, 2u);
  ASSERT_EQ(pair.decision().beside.size(), 1u);
  EXPECT_EQ(pair.decision().beside[0].tenant, 1u);
}

// It waits for each of its kernels, and so for those of the other.
TEST(SharedTurns, EndWhereSomebodyHasLessByThemAndAreTriedLaterEachTime) {
  Pair pair({.in_turns = 60, .shared = 5}, {.in_turns = 60, .shared = 65});
  uint64_t last_pause_ms = 0;
  pair.PassUntil(true, 500);
  for (int i = 0; i < 4; ++i) {
    EXPECT_LE(pair.PassUntil(false, 500), 110u);
    const uint64_t pause_ms = pair.PassUntil(true, 20'000);
    EXPECT_GE(pause_ms, 900u);
    EXPECT_GE(pause_ms, 3 * last_pause_ms / 2) << i;
    last_pause_ms = pause_ms;
  }
}

// As where a program loads its data for a while.
TEST(SharedTurns, GoOnThoughSomebodyUsesLessForAWhile) {
  Pair pair({}, {});
  for (int i = 0; i < 2; ++i) {  // tried, and found good
    pair.PassUntil(true, 500);
    pair.PassUntil(false, 500);
  }
  pair.PassUntil(true, 500);
  pair.SetUses(0, {.in_turns = 40, .shared = 16});  // it had 20 in turns
  pair.PassUntil(false, 1'000);
  EXPECT_LE(pair.PassUntil(true, 500), 110u);
  pair.SetUses(0, {.in_turns = 40, .shared = 12});
  pair.PassUntil(false, 1'000);
  EXPECT_GE(pair.PassUntil(true, 5'000), 900u);
}

TEST(SharedTurns, EndWhereNoMoreOfTheCardIsUsed) {
  Pair pair({.in_turns = 60, .shared = 31}, {.in_turns = 60, .shared = 31});
  pair.PassUntil(true, 500);
  pair.PassUntil(false, 500);
  EXPECT_GE(pair.PassUntil(true, 20'000), 900u);
}

TEST(SharedTurns, AreNotTriedBesideAHighPriorityOrALatencyTarget) {
  for (const Terms& terms : {Terms{.mode = Mode::kPriority, .priority = Priority::kHigh},
                             Terms{.mode = Mode::kWeighted, .latency_target_ns = kMs}}) {
    Pair pair({.in_turns = 40}, {}, terms);
    EXPECT_EQ(pair.PassUntil(true, 3'000), 3'000u);
  }
}

TEST(SharedTurns, EndWhereOnlyOneIsLeft) {
  Pair pair({}, {});
  pair.PassUntil(true, 500);
  pair.StopWork(0);
  EXPECT_LE(pair.PassUntil(false, 100), kSharedLingerNs / kMs + 1);
}

TEST(SharedTurns, OweNothingToWhoMightHaveRun) {
  Pair pair({.in_turns = 40, .shared = 10}, {.in_turns = 10, .shared = 10});
  pair.PassUntil(true, 500);
  pair.Pass(90);
  ASSERT_TRUE(pair.IsShared());
  for (TenantId id : {1, 2}) EXPECT_LE(pair.BalanceNs(id), static_cast<int64_t>(kStartNs)) << id;
}

// Tenants of any terms come, go, want and use anything.
class Crowd {
 public:
  explicit Crowd(uint32_t seed) : random_(seed) {}

  void Step() {
    now_ns_ += 20'000 + Below(3 * kMs);
    if (Below(50) == 0 && tenants_.size() < 6) Join();
    if (Below(200) == 0 && !tenants_.empty())
      tenants_.erase(tenants_.begin() + static_cast<ptrdiff_t>(Below(tenants_.size())));
    for (Tenant& tenant : tenants_) Live(tenant);
    std::erase_if(last_.beside, [this](const Turn& turn) { return !Has(turn.tenant); });
    if (last_.turn && !Has(last_.turn->tenant)) last_.turn.reset();
    const Snapshot snapshot{
        .now_ns = now_ns_, .turn = last_.turn, .tenants = tenants_, .beside = last_.beside};
    Advance(accounts_, snapshot);
    last_ = Decide(snapshot, accounts_);
  }

  // Whoever may run is there, and named once.
  void Check() const {
    std::vector<TenantId> runners;
    if (last_.turn) runners.push_back(last_.turn->tenant);
    for (const Turn& turn : last_.beside) runners.push_back(turn.tenant);
    ASSERT_TRUE(last_.turn || last_.beside.empty());
    ASSERT_TRUE(accounts_.shared.are_on || last_.beside.empty());
    for (size_t i = 0; i < runners.size(); ++i) {
      ASSERT_TRUE(Has(runners[i]));
      for (size_t j = 0; j < i; ++j) ASSERT_NE(runners[i], runners[j]);
    }
    ASSERT_GT(last_.look_again_ns, now_ns_);
  }
  bool IsShared() const { return !last_.beside.empty(); }

 private:
  uint64_t Below(uint64_t bound) { return random_() % bound; }
  bool Has(TenantId id) const {
    return std::ranges::find(tenants_, id, &Tenant::id) != tenants_.end();
  }
  void Join() {
    Terms terms{.mode = static_cast<Mode>(Below(4))};
    if (IsGuaranteed(terms)) terms.share_permille = static_cast<uint32_t>(1 + Below(kWholeCard));
    if (terms.mode != Mode::kHard) terms.weight = static_cast<uint32_t>(1 + Below(kMaxWeight));
    tenants_.push_back(
        {.id = next_id_++, .terms = terms, .wants = false, .since_ns = now_ns_, .used_ns = 0});
    parts_.push_back(Below(101));
  }
  void Live(Tenant& tenant) {
    if (Below(10) == 0) {
      tenant.wants = !tenant.wants;
      tenant.since_ns = now_ns_;
    }
    if (TurnOf(last_.turn, last_.beside, tenant.id) != nullptr)
      tenant.used_ns += kMs / 100 * parts_[tenant.id - 1];
  }

  std::mt19937 random_;
  std::vector<Tenant> tenants_;
  std::vector<uint64_t> parts_;  // of its turns that a tenant uses, in percent
  TenantId next_id_ = 1;
  Accounts accounts_;
  Decision last_;
  uint64_t now_ns_ = 1'000 * kMs;
};

TEST(SharedTurns, NameEverybodyWhoMayRunOnceWhoeverComesAndGoes) {
  uint64_t shared = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Crowd crowd(seed);
    for (int step = 0; step < 5'000; ++step) {
      crowd.Step();
      ASSERT_NO_FATAL_FAILURE(crowd.Check()) << seed << ' ' << step;
      shared += crowd.IsShared() ? 1 : 0;
    }
  }
  EXPECT_GT(shared, 1'000u);
}

}  // namespace
}  // namespace warpshare::share

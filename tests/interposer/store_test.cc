// What a store is charged, and when room is held for what it may grow by.
#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "few_functions.h"
#include "in_child.h"
#include "interposer/accounts/reported_store.h"
#include "interposer/session/session.h"
#include "tenant_dir.h"
#include "thread_state.h"

namespace warpshare::interposer {
namespace {

using testing::InChild;
using testing::TenantDir;

constexpr uint64_t kMiB = uint64_t{1} << 20;

constexpr uint64_t kHandle = 1;
constexpr uint64_t kStream = 7;

// What the driver would report, and whether it keeps the next who asks for that waiting.
std::atomic<uint64_t> g_reserved;
std::atomic<uint64_t> g_used;
enum class Delay : uint8_t { kNone, kAsked, kAnswering };
std::atomic<Delay> g_delay;

bool Report(uint64_t, ReportedStore::Quantity quantity, uint64_t& bytes) {
  bytes = quantity == ReportedStore::Quantity::kReserved ? g_reserved : g_used;
  Delay asked = Delay::kAsked;
  if (g_delay.compare_exchange_strong(asked, Delay::kAnswering)) {
    while (g_delay == Delay::kAnswering) sched_yield();
  }
  return true;
}

CardAccount& Account() { return Session::Current()->account(0); }

ReportedStore::Growth Begin(ReportedStore& store, uint64_t bytes = 4 * kMiB, uint64_t stream = 0) {
  ReportedStore::Growth growth{.asked = bytes, .stream = stream};
  store.Begin(kHandle, growth);
  if (growth.grant == ReportedStore::Grant::kNeedsRoom) {
    store.MakeRoom(ReportedStore::Otherwise::kNothing, growth);
  }
  return growth;
}

bool Settle(ReportedStore& store, const ReportedStore::Growth& growth) {
  return store.TrySettle(growth) || store.Settle(growth);
}

// A call in another thread, up to its driver call.
class BegunBeside {
 public:
  explicit BegunBeside(ReportedStore& store)
      : thread_([this, &store] {
          id_ = gettid();
          growth_ = Begin(store);
          has_begun_ = true;
        }) {}
  ~BegunBeside() { thread_.join(); }

  bool has_begun() const { return has_begun_; }
  bool IsAsleep() const { return testing::IsAsleep(id_); }
  ReportedStore::Growth Await() const {
    while (!has_begun_) sched_yield();
    return growth_;
  }

 private:
  std::atomic<pid_t> id_{0};
  std::atomic<bool> has_begun_{false};
  ReportedStore::Growth growth_{};
  std::thread thread_;
};

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() { setenv(abi::kEnvTenantDir, tenant_.path().c_str(), 1); }
  ~StoreTest() override { unsetenv(abi::kEnvTenantDir); }

  // With a limit of 10 MiB. Of a pool that grows by two.
  static void OpenHolding(ReportedStore& store, uint64_t bytes) {
    g_reserved = bytes;
    g_used = 0;
    store.Open({.account = &Account(),
                .reader = Report,
                .trimmer = [](uint64_t) {},
                .handle = kHandle,
                .assumed_lump = 2 * kMiB});
    store.Recount();
  }

  // With 4 MiB, of which 3 were given to kStream and freed there.
  static bool OpenWithFreed(ReportedStore& store) {
    OpenHolding(store, 4 * kMiB);
    const bool is_settled = Settle(store, Begin(store, 3 * kMiB, kStream));
    (void)store.Free(3 * kMiB, kStream);
    return is_settled;
  }

  // Full, with four MiB that nobody uses.
  static void OpenFull(ReportedStore& store) {
    g_reserved = 10 * kMiB;
    g_used = 6 * kMiB;
    store.Open({.account = &Account(),
                .reader = Report,
                .trimmer = nullptr,
                .handle = kHandle,
                .assumed_lump = 2 * kMiB});
    store.Recount();
  }

  TenantDir tenant_{{{.uuid = testing::kUuidA, .memory_limit = 10 * kMiB}}};
};

TEST_F(StoreTest, WhatIsUnusedServesACallThoughThereIsNoRoom) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenFull(store);
              const ReportedStore::Growth growth = Begin(store);
              g_used = 10 * kMiB;
              return growth.grant == ReportedStore::Grant::kFromStore && store.Settle(growth) &&
                     Begin(store).grant == ReportedStore::Grant::kRefused;
            }),
            0);
}

TEST_F(StoreTest, WhatIsUnusedIsCountedOnByOneCallAtATime) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenFull(store);
              const ReportedStore::Growth first = Begin(store);
              BegunBeside second(store);
              while (!second.has_begun() && !second.IsAsleep()) sched_yield();
              const bool waited = !second.has_begun();
              g_used = 10 * kMiB;
              return store.Settle(first) && waited &&
                     second.Await().grant == ReportedStore::Grant::kRefused;
            }),
            0);
}

TEST_F(StoreTest, ACallThatTheDriverRefusesLeavesWhatIsUnusedToTheNext) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenFull(store);
              store.Cancel(Begin(store));
              return Begin(store).grant == ReportedStore::Grant::kFromStore;
            }),
            0);
}

TEST_F(StoreTest, HoldsTheMostThatACallMayTakeUntilItIsKnownWhatItTook) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 2 * kMiB);
              const ReportedStore::Growth growth = Begin(store, 3 * kMiB);
              const bool is_held = Account().UsedBytes() == 6 * kMiB;
              g_reserved = 5 * kMiB;
              return is_held && Settle(store, growth) && store.charged() == 5 * kMiB &&
                     Account().UsedBytes() == 5 * kMiB;
            }),
            0);
}

// It takes two MiB at a time, one fits, and nobody's call in flight has the other: an alarm ends
// who waits for it all the same.
TEST_F(StoreTest, RefusesAtOnceWhereTheBytesFitAndTheLumpDoesNot) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 9 * kMiB);
              g_used = 9 * kMiB;
              alarm(20);
              return Begin(store, kMiB).grant == ReportedStore::Grant::kRefused;
            }),
            0);
}

TEST_F(StoreTest, HoldsNothingForABlockThatWasFreedInTheSameOrder) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 4 * kMiB);
              ReportedStore::Growth growth = Begin(store, 3 * kMiB, kStream);
              bool is_right = growth.held != 0 && Settle(store, growth);
              (void)store.Free(3 * kMiB, kStream);
              growth = Begin(store, 3 * kMiB, kStream);
              is_right &= growth.held == 0 && Account().UsedBytes() == 4 * kMiB;
              is_right &= Settle(store, growth);
              // It was given out, and is nobody else's.
              is_right &= Begin(store, 3 * kMiB, kStream).held != 0;
              return is_right;
            }),
            0);
}

TEST_F(StoreTest, HoldsTheMostForABlockThatWasFreedWhileOthersMayCutItUp) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 2 * kMiB);
              const ReportedStore::Growth first = Begin(store, kMiB, kStream);
              (void)store.Free(kMiB, kStream);
              const ReportedStore::Growth second = Begin(store, kMiB, kStream);
              return first.held != 0 && second.held != 0;
            }),
            0);
}

TEST_F(StoreTest, ChargesForABlockThatWasFreedAndIsNotThere) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 4 * kMiB);
              ReportedStore::Growth growth = Begin(store, 3 * kMiB, kStream);
              bool is_right = Settle(store, growth);
              (void)store.Free(3 * kMiB, kStream);
              growth = Begin(store, 3 * kMiB, kStream);
              g_reserved = 8 * kMiB;
              is_right &= Settle(store, growth) && store.charged() == 8 * kMiB;
              (void)store.Free(3 * kMiB, kStream);
              growth = Begin(store, 3 * kMiB, kStream);
              g_reserved = 12 * kMiB;  // past the limit
              return is_right && growth.held == 0 && !Settle(store, growth);
            }),
            0);
}

// It may have let go of the block and taken it anew: a measurement at that time must not count.
TEST_F(StoreTest, TellsOfACallThatIsOverAndChangedNoCharge) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              bool is_right = OpenWithFreed(store);
              const CardAccount::Holdings own = Account().Own();
              const ReportedStore::Calls before = store.calls();
              is_right &= Settle(store, Begin(store, 3 * kMiB, kStream));
              return is_right && Account().Own() == own && store.calls() != before &&
                     store.calls().in_flight == 0;
            }),
            0);
}

// It could take that block, too.
TEST_F(StoreTest, ACallWaitsWhileAnotherTrustsInABlockThatWasFreed) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              bool is_right = OpenWithFreed(store);
              const ReportedStore::Growth trusting = Begin(store, 3 * kMiB, kStream);
              BegunBeside other(store);
              while (!other.has_begun() && !other.IsAsleep()) sched_yield();
              is_right &= trusting.trusts && !other.has_begun() && Settle(store, trusting);
              return is_right && other.Await().held != 0;
            }),
            0);
}

TEST_F(StoreTest, GivesNothingBackWhileACallTrustsInABlockThatMayBeGone) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 4 * kMiB);
              const ReportedStore::Growth first = Begin(store, 3 * kMiB, kStream);
              const ReportedStore::Growth other = Begin(store, kMiB, kStream);
              bool is_right = Settle(store, first);
              (void)store.Free(3 * kMiB, kStream);
              // It trusts though it is not alone, as there is no room.
              const uint64_t rest = 10 * kMiB - Account().UsedBytes();
              is_right &= Account().TryCharge(rest);
              const ReportedStore::Growth trusting = Begin(store, 3 * kMiB, kStream);
              Account().GiveBack(rest);
              g_reserved = 0;
              is_right &= trusting.trusts && !store.Shrink();
              is_right &= Settle(store, other) && Account().UsedBytes() == 4 * kMiB;
              g_reserved = 4 * kMiB;
              is_right &= Settle(store, trusting) && store.charged() == 4 * kMiB;
              g_reserved = 2 * kMiB;
              return is_right && store.Shrink() && Account().UsedBytes() == 2 * kMiB;
            }),
            0);
}

TEST_F(StoreTest, TrustsInNoBlockThatWasLetGoOf) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 4 * kMiB);
              bool is_right = Settle(store, Begin(store, 3 * kMiB, kStream));
              is_right &= Settle(store, Begin(store, kMiB, kStream));
              (void)store.Free(kMiB, kStream);
              (void)store.Free(3 * kMiB, kStream);
              const ReportedStore::Growth last = Begin(store, 3 * kMiB, kStream);
              g_reserved = 2 * kMiB;
              is_right &= last.trusts && Settle(store, last) && store.charged() == 2 * kMiB;
              return is_right && !Begin(store, kMiB, kStream).trusts;
            }),
            0);
}

TEST_F(StoreTest, HoldsNothingWithoutALimitAndChargesAllThatItGrewBy) {
  tenant_.limits().cards[0].memory_limit_bytes = abi::kNoLimit;
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 2 * kMiB);
              const ReportedStore::Growth growth = Begin(store, 30 * kMiB);
              const bool holds_nothing = growth.held == 0 && Account().UsedBytes() == 2 * kMiB;
              const bool is_in_flight = store.users().in_flight == 1;
              g_reserved = 33 * kMiB;
              return holds_nothing && is_in_flight && Settle(store, growth) &&
                     store.users().in_flight == 0 && store.charged() == 33 * kMiB &&
                     Account().UsedBytes() == 33 * kMiB;
            }),
            0);
}

TEST_F(StoreTest, ALimitThatIsSetDuringACallHoldsWhenItIsSettled) {
  tenant_.limits().cards[0].memory_limit_bytes = abi::kNoLimit;
  EXPECT_EQ(InChild([this] {
              ReportedStore store{};
              OpenHolding(store, 2 * kMiB);
              const ReportedStore::Growth growth = Begin(store, 30 * kMiB);
              g_reserved = 33 * kMiB;
              tenant_.limits().cards[0].memory_limit_bytes = 10 * kMiB;
              return !Settle(store, growth) && Account().UsedBytes() == 2 * kMiB;
            }),
            0);
}

// Somebody was told what it held before this call and charges that only now.
TEST_F(StoreTest, IsChargedForWhatItGrewByWhileAnOlderReportIsStillToCome) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 4 * kMiB);
              const ReportedStore::Growth first = Begin(store, 4 * kMiB, kStream);
              g_reserved = 8 * kMiB;
              if (!Settle(store, first) || store.Free(4 * kMiB, kStream)) return false;
              g_reserved = 4 * kMiB;
              g_delay = Delay::kAsked;
              std::thread shrinking([&store] { (void)store.Shrink(); });
              while (g_delay != Delay::kAnswering) sched_yield();
              const ReportedStore::Growth growth = Begin(store, 4 * kMiB, kStream);
              g_reserved = 8 * kMiB;
              const bool is_settled = store.TrySettle(growth);
              g_delay = Delay::kNone;
              shrinking.join();
              if (!is_settled && !store.Settle(growth)) return false;
              return store.charged() == 8 * kMiB && Account().UsedBytes() == 8 * kMiB;
            }),
            0);
}

TEST_F(StoreTest, IsNoStoreOfAnotherHandle) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 2 * kMiB);
              ReportedStore::Growth growth{.asked = kMiB, .stream = 0};
              store.Begin(kHandle + 1, growth);
              const bool is_gone = growth.grant == ReportedStore::Grant::kGone;
              return is_gone && store.users().count == 0;
            }),
            0);
}

TEST_F(StoreTest, ThatHasEndedLivesUntilItsLastUserIsGone) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenHolding(store, 2 * kMiB);
              if (!Settle(store, Begin(store, kMiB)) || !Settle(store, Begin(store, kMiB)))
                return false;
              return !store.End() && !store.Free(kMiB, kStream) && store.Drop() &&
                     store.Close() == 2 * kMiB;
            }),
            0);
}

}  // namespace
}  // namespace warpshare::interposer

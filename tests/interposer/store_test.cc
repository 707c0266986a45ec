// A store that is full and cannot be trimmed serves calls from what it holds and does not use.
#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>

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

// What the driver would report.
std::atomic<uint64_t> g_reserved;
std::atomic<uint64_t> g_used;

bool Report(uint64_t, ReportedStore::Quantity quantity, uint64_t& bytes) {
  bytes = quantity == ReportedStore::Quantity::kReserved ? g_reserved : g_used;
  return true;
}

constexpr ReportedStore::Request kFourMiB{
    .bytes = 4 * kMiB, .stream = 0, .otherwise = ReportedStore::Otherwise::kNothing};

// A call in another thread, up to its driver call.
class BegunBeside {
 public:
  explicit BegunBeside(ReportedStore& store)
      : thread_([this, &store] {
          id_ = gettid();
          growth_ = store.Begin(kFourMiB);
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

  // Full, with four MiB that nobody uses.
  static void OpenFull(ReportedStore& store) {
    g_reserved = 10 * kMiB;
    g_used = 6 * kMiB;
    store.Open({.account = &Session::Current()->account(0),
                .reader = Report,
                .trimmer = nullptr,
                .handle = 1,
                .assumed_lump = 2 * kMiB});
    store.Recount();
  }

  TenantDir tenant_{{{.uuid = testing::kUuidA, .memory_limit = 10 * kMiB}}};
};

TEST_F(StoreTest, WhatIsUnusedServesACallThoughThereIsNoRoom) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenFull(store);
              const ReportedStore::Growth growth = store.Begin(kFourMiB);
              g_used = 10 * kMiB;
              return growth.grant == ReportedStore::Grant::kFromStore && store.Settle(growth) &&
                     store.Begin(kFourMiB).grant == ReportedStore::Grant::kRefused;
            }),
            0);
}

TEST_F(StoreTest, WhatIsUnusedIsCountedOnByOneCallAtATime) {
  EXPECT_EQ(InChild([] {
              ReportedStore store{};
              OpenFull(store);
              const ReportedStore::Growth first = store.Begin(kFourMiB);
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
              store.Cancel(store.Begin(kFourMiB));
              return store.Begin(kFourMiB).grant == ReportedStore::Grant::kFromStore;
            }),
            0);
}

}  // namespace
}  // namespace warpshare::interposer

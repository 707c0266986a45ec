// What a process may take without an arbiter, by a clock of the test's own.
#include "interposer/compute/static_share.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "few_functions.h"
#include "in_child.h"
#include "tenant_dir.h"

namespace warpshare::interposer {
namespace {

using testing::InChild;
using testing::TenantDir;

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kStart = 5'000 * kMs;

class StaticShareTest : public ::testing::Test {
 protected:
  StaticShareTest() { setenv(abi::kEnvTenantDir, tenant_.path().c_str(), 1); }
  ~StaticShareTest() override { unsetenv(abi::kEnvTenantDir); }

  void Promise(uint32_t permille) { tenant_.limits().cards[0].compute.share_permille = permille; }

  static abi::CardWorkV1& Own() {
    Session& session = *Session::Current();
    return session.usage().slots[session.slot()].work[0];
  }
  // Another process of the tenant, that has work on the card until then.
  abi::CardWorkV1& AddProcess(uint64_t busy_until_ns) {
    abi::UsagePageV1& usage = tenant_.usage();
    const uint32_t slot = usage.slot_ceiling++;
    usage.slots[slot].owner.generation = 1;
    usage.slots[slot].work[0].busy_until_ns = busy_until_ns;
    return usage.slots[slot].work[0];
  }
  static uint64_t WaitNs(StaticShare& share, uint64_t after_ms) {
    return share.WaitNs(*Session::Current(), 0, kStart + after_ms * kMs);
  }

  TenantDir tenant_{{{.uuid = testing::kUuidA}}};
};

TEST_F(StaticShareTest, WhatWasTakenIsWaitedForAtTheSharesPace) {
  Promise(300);
  EXPECT_EQ(InChild([] {
              StaticShare share;
              if (WaitNs(share, 0) != 0) return false;
              Own().used_ns = 33 * kMs;
              return WaitNs(share, 10) == 100 * kMs && WaitNs(share, 60) == 50 * kMs &&
                     WaitNs(share, 110) == 0;
            }),
            0);
}

TEST_F(StaticShareTest, TenMillisecondsAtMostAreSavedUp) {
  Promise(500);
  EXPECT_EQ(InChild([] {
              StaticShare share;
              if (WaitNs(share, 0) != 0 || WaitNs(share, 900) != 0) return false;
              Own().used_ns = 10 * kMs;
              if (WaitNs(share, 900) != 0) return false;
              Own().used_ns = 11 * kMs;
              return WaitNs(share, 900) == 2 * kMs;
            }),
            0);
}

TEST_F(StaticShareTest, TheProcessesThatHaveWorkHaveEqualPartsOfIt) {
  Promise(300);
  EXPECT_EQ(InChild([this] {
              StaticShare share;
              Own().busy_until_ns = kStart;
              AddProcess(kStart);
              AddProcess(kStart);
              AddProcess(kStart - 1'000 * kMs);  // had work a second ago
              if (WaitNs(share, 0) != 0) return false;
              Own().used_ns = 10 * kMs;
              return WaitNs(share, 0) == 100 * kMs;
            }),
            0);
}

// Otherwise the others would take its part while it waits, and it that same part afterwards.
TEST_F(StaticShareTest, WhoHasLongWaitedForItsPartHasWork) {
  Promise(300);
  EXPECT_EQ(InChild([this] {
              StaticShare share;
              Own().busy_until_ns = kStart - 500 * kMs;
              AddProcess(kStart);
              AddProcess(kStart - 500 * kMs).waits_since_ns = kStart - 400 * kMs;
              if (WaitNs(share, 0) != 0) return false;
              Own().used_ns = 10 * kMs;
              return WaitNs(share, 0) == 100 * kMs;
            }),
            0);
}

TEST_F(StaticShareTest, WhoWasPromisedNothingOrAllNeverWaits) {
  for (const uint32_t permille : {0u, 1000u}) {
    Promise(permille);
    EXPECT_EQ(InChild([] {
                StaticShare share;
                if (WaitNs(share, 0) != 0) return false;
                Own().used_ns = 500 * kMs;
                return WaitNs(share, 1) == 0;
              }),
              0)
        << permille;
  }
}

}  // namespace
}  // namespace warpshare::interposer

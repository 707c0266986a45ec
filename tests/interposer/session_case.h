// A tenant of one process and its children, as they see it: no driver.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "few_functions.h"
#include "in_child.h"
#include "interposer/session/session.h"
#include "ledger/room.h"
#include "tenant_dir.h"

namespace warpshare::interposer {

using testing::AwaitChild;
using testing::InChild;
using testing::kUuidA;
using testing::kUuidB;
using testing::StartChild;
using testing::TenantDir;

constexpr uint64_t kMiB = uint64_t{1} << 20;

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() { setenv(abi::kEnvTenantDir, tenant_.path().c_str(), 1); }
  ~SessionTest() override { unsetenv(abi::kEnvTenantDir); }

  // As another process does that is wrong about this one.
  void TakeForDead() {
    const uint32_t slot = Session::Current()->slot();
    ledger::GiveBackDead(tenant_.usage(), slot, tenant_.usage().slots[slot].owner.generation);
  }

  // Whether this process is charged `bytes` of card 0, alone, of which `room` are announced.
  bool Holds(uint64_t bytes, uint64_t room) {
    return Session::Current()->account(0).Own().bytes == bytes && tenant_.UsedBytes() == bytes &&
           ledger::LookForRoom(tenant_.usage(), 0).bytes == room;
  }

  // A process that took `bytes` of card 0 and then stands still until it is killed.
  pid_t StartHolder(uint64_t bytes, bool (CardAccount::*take)(uint64_t) = &CardAccount::Charge) {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    const pid_t holder = StartChild([&] {
      const bool charged = (Session::Current()->account(0).*take)(bytes);
      if (write(ready[1], charged ? "+" : "-", 1) != 1) return false;
      pause();
      return true;
    });
    char answer = 0;
    close(ready[1]);
    EXPECT_EQ(read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, '+');
    close(ready[0]);
    return holder;
  }

  TenantDir tenant_{{{.uuid = kUuidA, .memory_limit = 100 * kMiB},
                     {.uuid = kUuidB, .memory_limit = abi::kNoLimit}}};
};

}  // namespace warpshare::interposer

#include "node/arbiter/tenant_work.h"

#include <gtest/gtest.h>

#include "node/arbiter/testing/card_play.h"

namespace warpshare::node {
namespace {

constexpr uint64_t kLookNs = 100 * kUs;

// A tenant of two processes that has the card for a while, and is looked at all along.
class TwoProcesses : public ::testing::Test {
 protected:
  TwoProcesses() {
    pages_.TakeSlot(0);
    pages_.TakeSlot(1);
    work_.Look(now_ns_, now_ns_);
  }

  void Tell(uint32_t slot, uint64_t used_ns) { pages_.Work(slot).used_ns.fetch_add(used_ns); }

  uint64_t Look() {
    const uint64_t before_ns = work_.tenant().used_ns;
    now_ns_ += kLookNs;
    work_.Look(now_ns_, kSecond);
    return work_.tenant().used_ns - before_ns;
  }

 private:
  FakePages pages_{abi::ComputeMode::kHard, 300};
  uint64_t now_ns_ = kSecond;
  TenantWork work_{1, pages_.Pages()};
};

// As each tells of its work when that has ended.
TEST_F(TwoProcesses, AreChargedAllThatTheyTellAtOnceIfThereWasTimeForIt) {
  uint64_t charged_ns = 0;
  for (int i = 0; i < 1'000; ++i) {
    if (i % 4 == 3) Tell(0, 2 * kLookNs);
    if (i % 4 == 3) Tell(1, 2 * kLookNs);
    charged_ns += Look();
  }
  EXPECT_EQ(charged_ns, 1'000 * kLookNs);
}

TEST_F(TwoProcesses, AreNotChargedMoreThanPassed) {
  uint64_t charged_ns = 0;
  for (int i = 0; i < 1'000; ++i) {
    Tell(0, kLookNs);
    Tell(1, kLookNs);
    charged_ns += Look();
  }
  EXPECT_EQ(charged_ns, 1'000 * kLookNs);
}

}  // namespace
}  // namespace warpshare::node

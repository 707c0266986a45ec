// In real time, with real futexes: that everybody comes to the end is what is tested.
#include "node/arbiter/card_loop.h"

#include <gtest/gtest.h>

#include "node/arbiter/testing/card_play.h"

namespace warpshare::node {
namespace {

// As a tenant's process does: says that it waits, calls, and sleeps on the word until its turn.
void AwaitTurn(FakePages& pages, platform::LinuxFutex& futex) {
  abi::TurnV1& turn = pages.card().turn;
  pages.Work(0).waits_since_ns = 1;
  pages.Call();
  futex.WakeAll(pages.usage->attention);
  while (!pages.MayRun()) {
    const platform::FutexWait wait{&turn.word, turn.word};
    if ((wait.expected & 1) == 0) futex.WaitAny({&wait, 1}, UINT64_MAX / 4);
  }
  pages.Work(0).waits_since_ns = 0;
}

// Keeps the card busy in each turn until it is taken away; the first one to have had all its turns
// ends it for both.
void HaveTurns(FakePages& pages, platform::LinuxFutex& futex, std::atomic<bool>& is_over) {
  const platform::SystemClock clock;
  for (int turn = 0; turn < 5 && !is_over; ++turn) {
    AwaitTurn(pages, futex);
    while (pages.MayRun() && !is_over) {
      const auto now = clock.Now().time_since_epoch();
      pages.Work(0).busy_until_ns = static_cast<uint64_t>(now.count()) + 100 * kUs;
    }
  }
  is_over = true;
}

TEST(CardLoop, TenantsInThreadsTakeTurns) {
  const platform::SystemClock clock;
  platform::LinuxFutex futex;
  FakePages first(abi::ComputeMode::kWeighted, 0);
  FakePages second(abi::ComputeMode::kSoft, 300);
  for (FakePages* pages : {&first, &second}) pages->TakeSlot(0);
  CardLoop loop(clock, futex);
  loop.Add(1, first.Pages());
  loop.Add(2, second.Pages());
  std::atomic<bool> is_over = false;
  std::thread other([&] { HaveTurns(first, futex, is_over); });
  HaveTurns(second, futex, is_over);
  other.join();
  EXPECT_GT(first.card().turn.granted_ns, 0u);
  EXPECT_GT(second.card().turn.granted_ns, 0u);
}

TEST(CardLoop, ARemovedTenantIsToldAndTheOthersGoOn) {
  const platform::SystemClock clock;
  platform::LinuxFutex futex;
  FakePages stays(abi::ComputeMode::kWeighted, 0);
  stays.TakeSlot(0);
  {
    CardLoop loop(clock, futex);
    loop.Add(1, stays.Pages());
    {
      FakePages goes(abi::ComputeMode::kHard, 300);
      goes.TakeSlot(0);
      loop.Add(2, goes.Pages());
      AwaitTurn(goes, futex);
      loop.Remove(2);
      EXPECT_EQ(goes.card().turn.valid_until_ns, 0u);
    }
    AwaitTurn(stays, futex);
    EXPECT_GT(stays.card().turn.valid_until_ns, 0u);
  }
  EXPECT_EQ(stays.card().turn.valid_until_ns, 0u) << "there is no arbiter any more";
}

TEST(CardLoop, TellsWhatIsWrongWithPagesUntilItIsMended) {
  const platform::SystemClock clock;
  platform::LinuxFutex futex;
  FakePages pages(abi::ComputeMode::kWeighted, 0);
  CardLoop loop(clock, futex);
  loop.Add(1, pages.Pages());
  abi::ComputeTermsV1& terms = pages.card().compute;
  const uint32_t weight = terms.weight;
  EXPECT_TRUE(loop.Problems().empty());
  terms.weight = 0;
  loop.LookNow();
  while (loop.Problems().empty()) std::this_thread::yield();
  terms.weight = weight;
  loop.LookNow();
  while (!loop.Problems().empty()) std::this_thread::yield();
}

TEST(CardLoop, EndsAtOnceWithoutTenants) {
  const platform::SystemClock clock;
  platform::LinuxFutex futex;
  const CardLoop loop(clock, futex);
}

}  // namespace
}  // namespace warpshare::node

// The rules of turns, at times of the test's choosing.
#include "simgpu/world/engine/timeline.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "simgpu/world/engine/busy.h"

namespace simgpu::world {
namespace {

constexpr uint64_t kUs = 1'000;
constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kSlice = 2 * kMs;

class TimelineTest : public ::testing::Test {
 protected:
  TimelineTest() {
    state_->guard.lock.Create();
    is_alive_ = [this](uint32_t slot) { return !dead_.contains(slot); };
  }

  Attempt Try(uint32_t slot, uint64_t duration_ns, uint64_t ready_ns, bool more = false) {
    Timeline timeline({*state_, seats_.get(), TurnRules::For(kSlice, switch_ns_)}, is_alive_,
                      now_ns_);
    return timeline.Try(slot,
                        {.duration_ns = duration_ns, .ready_ns = ready_ns, .more_follows = more});
  }
  Interval Granted(uint32_t slot, uint64_t duration_ns, uint64_t ready_ns, bool more = false) {
    const Attempt attempt = Try(slot, duration_ns, ready_ns, more);
    EXPECT_TRUE(attempt.interval) << "slot " << slot << " at " << now_ns_;
    return attempt.interval.value_or(Interval{});
  }
  void GoIdle(uint32_t slot) {
    Timeline({*state_, seats_.get(), TurnRules::For(kSlice)}, is_alive_, now_ns_).Idle(slot);
  }
  uint64_t Busy(uint32_t slot) const { return BusyUpTo(seats_[slot], now_ns_); }

  std::unique_ptr<EngineState> state_ = std::make_unique<EngineState>();
  std::unique_ptr<Seat[]> seats_{new Seat[8]()};
  std::set<uint32_t> dead_;
  Timeline::IsAliveFn is_alive_;
  uint64_t now_ns_ = 100 * kMs;
  uint64_t switch_ns_ = 0;
};

TEST_F(TimelineTest, StartsWorkWhenItIsReadyNotWhenItIsAskedFor) {
  const Interval first = Granted(0, 10 * kUs, now_ns_ - 500 * kUs);
  EXPECT_EQ(first.start_ns, now_ns_ - 500 * kUs);
  EXPECT_EQ(first.end_ns, first.start_ns + 10 * kUs);
  EXPECT_EQ(Granted(0, 10 * kUs, 0).start_ns, first.end_ns);
}

TEST_F(TimelineTest, LetsTheOwnerRunAheadToTheEndOfItsTurn) {
  uint64_t end = Granted(0, 5 * kUs, now_ns_).end_ns;
  int granted = 1;
  while (true) {
    const Attempt attempt = Try(0, 5 * kUs, now_ns_);
    if (!attempt.interval) {
      EXPECT_EQ(attempt.retry_ns, end - TurnRules::For(kSlice).ahead_ns);
      break;
    }
    EXPECT_EQ(attempt.interval->start_ns, end);
    end = attempt.interval->end_ns;
    ++granted;
  }
  EXPECT_EQ(granted, 400);
}

TEST_F(TimelineTest, LosesTimeThatIsNobodysWhenAnotherProcessGetsItsTurn) {
  switch_ns_ = 100 * kUs;
  const Interval first = Granted(0, kMs, now_ns_);
  EXPECT_EQ(first.start_ns, now_ns_);
  EXPECT_EQ(Granted(0, kMs, now_ns_).start_ns, first.end_ns);
  now_ns_ = first.end_ns + kMs;
  const Interval other = Granted(1, kMs, now_ns_ - 500 * kUs);
  EXPECT_EQ(other.start_ns, now_ns_ + switch_ns_);
  EXPECT_EQ(other.end_ns, other.start_ns + kMs);
  now_ns_ = other.end_ns;
  EXPECT_EQ(Busy(0) + Busy(1), 3 * kMs);
}

TEST_F(TimelineTest, DoesNotMakeTheNextOnePayForASwitchFromADeadProcess) {
  switch_ns_ = 100 * kUs;
  Granted(0, kMs, now_ns_);
  dead_.insert(0);
  EXPECT_EQ(Granted(1, kMs, now_ns_).start_ns, now_ns_);
}

TEST_F(TimelineTest, KeepsAnOwnerThatIsAloneWithoutAGap) {
  uint64_t end = Granted(0, kMs, now_ns_).end_ns;
  for (int i = 0; i < 100; ++i) {
    const Attempt attempt = Try(0, kMs, 0);
    if (!attempt.interval) {
      now_ns_ = attempt.retry_ns;
      continue;
    }
    EXPECT_EQ(attempt.interval->start_ns, end);
    end = attempt.interval->end_ns;
  }
}

TEST_F(TimelineTest, TakesTurnsOfASliceWhenTwoHaveWork) {
  uint64_t given[2] = {};
  uint64_t end = 0;
  for (int round = 0; round < 20'000; ++round) {
    for (uint32_t slot = 0; slot < 2; ++slot) {
      const Attempt attempt = Try(slot, 50 * kUs, 0, true);
      if (!attempt.interval) continue;
      if (end != 0) {
        EXPECT_EQ(attempt.interval->start_ns, end);  // no gap
      }
      end = attempt.interval->end_ns;
      given[slot] += 50 * kUs;
    }
    now_ns_ += 20 * kUs;
  }
  EXPECT_NEAR(static_cast<double>(given[0]), static_cast<double>(given[1]), 2.0 * kSlice);
}

TEST_F(TimelineTest, EndsATurnWithTheWorkThatReachesItsEnd) {
  const Interval longer = Granted(0, 20 * kMs, now_ns_, true);  // ten slices, not interrupted
  EXPECT_FALSE(Try(1, kUs, now_ns_).interval);
  now_ns_ = longer.end_ns;
  EXPECT_EQ(Granted(1, kUs, 0).start_ns, longer.end_ns);
}

TEST_F(TimelineTest, PassesTheTurnOnWhenTheOwnersWorkIsDone) {
  const Interval first = Granted(0, 100 * kUs, now_ns_);
  EXPECT_EQ(Try(1, 10 * kUs, now_ns_).retry_ns, first.end_ns);
  now_ns_ = first.end_ns;
  EXPECT_EQ(Granted(1, 10 * kUs, now_ns_ - kUs).start_ns, first.end_ns);
}

TEST_F(TimelineTest, KeepsTheTurnForAnOwnerThatAnnouncedMore) {
  const Interval first = Granted(0, 10 * kUs, now_ns_, true);
  now_ns_ = first.end_ns + 300 * kUs;  // the owner is late
  EXPECT_FALSE(Try(1, 10 * kUs, now_ns_).interval);
  EXPECT_EQ(Granted(0, 10 * kUs, first.end_ns).start_ns, first.end_ns);
}

TEST_F(TimelineTest, DoesNotKeepTheTurnForeverForAnOwnerThatIsStopped) {
  const Interval first = Granted(0, 10 * kUs, now_ns_, true);
  EXPECT_FALSE(Try(1, 10 * kUs, now_ns_).interval);
  now_ns_ = first.end_ns + TurnRules::For(kSlice).keep_ns;
  // Its time is not lost: the next one's work was ready all along.
  EXPECT_EQ(Granted(1, 10 * kUs, first.start_ns).start_ns, first.end_ns);
}

TEST_F(TimelineTest, KeepsThePlaceInLineOfOneThatAnnouncedMore) {
  const Interval first = Granted(0, kSlice, now_ns_, true);
  now_ns_ = first.end_ns;
  const Interval second = Granted(1, kSlice, 0, true);
  now_ns_ = second.end_ns + 5 * kMs;                           // nobody came for 5 ms
  EXPECT_FALSE(Try(1, kSlice, second.end_ns, true).interval);  // it is the other one's turn
  EXPECT_EQ(Granted(0, kSlice, first.end_ns, true).start_ns, second.end_ns);
  EXPECT_EQ(Granted(1, kSlice, second.end_ns, true).start_ns, second.end_ns + kSlice);
}

TEST_F(TimelineTest, DoesNotWaitInLineForTheDeadOrTheIdle) {
  const Interval first = Granted(0, kSlice, now_ns_, true);
  now_ns_ = first.end_ns;
  const Interval second = Granted(1, kSlice, 0, true);
  now_ns_ = second.end_ns;
  EXPECT_FALSE(Try(1, kSlice, 0, true).interval);
  dead_.insert(0);
  const Interval third = Granted(1, kSlice, 0, true);
  EXPECT_EQ(third.start_ns, second.end_ns);
  now_ns_ = third.end_ns;
  const Interval fourth = Granted(2, kSlice, 0, true);
  now_ns_ = fourth.end_ns;
  GoIdle(1);
  EXPECT_EQ(Granted(2, kSlice, 0, true).start_ns, fourth.end_ns);
}

TEST_F(TimelineTest, PassesTheTurnOnWhenAnOwnerSaysItIsIdle) {
  const Interval first = Granted(0, 10 * kUs, now_ns_, true);
  now_ns_ = first.end_ns + kUs;
  EXPECT_FALSE(Try(1, 10 * kUs, 0).interval);
  GoIdle(0);
  EXPECT_EQ(Granted(1, 10 * kUs, 0).start_ns, first.end_ns);
}

TEST_F(TimelineTest, GoesRoundAmongThoseWhoWait) {
  Granted(1, kSlice, now_ns_, true);
  for (const uint32_t slot : {0u, 3u, 2u, 5u})
    EXPECT_FALSE(Try(slot, kSlice, now_ns_, true).interval);
  now_ns_ += 20 * kSlice;  // all of them overslept; one comes by
  const uint64_t start = 100 * kMs;
  EXPECT_EQ(Granted(0, kSlice, 0).start_ns, start + 4 * kSlice);
  EXPECT_EQ(Granted(2, kSlice, 0).start_ns, start + 1 * kSlice);
  EXPECT_EQ(Granted(3, kSlice, 0).start_ns, start + 2 * kSlice);
  EXPECT_EQ(Granted(5, kSlice, 0).start_ns, start + 3 * kSlice);
}

TEST_F(TimelineTest, DropsWhatADeadOwnerHadNotRunYet) {
  Granted(0, 50 * kMs, now_ns_);
  EXPECT_FALSE(Try(1, kUs, now_ns_).interval);
  now_ns_ += 3 * kMs;
  dead_.insert(0);
  EXPECT_EQ(Granted(1, kUs, 0).start_ns, now_ns_);
  EXPECT_EQ(Busy(0), 3 * kMs);
  now_ns_ += 100 * kMs;
  EXPECT_EQ(Busy(0), 3 * kMs);
}

TEST_F(TimelineTest, PassesOverTheDeadInLine) {
  Granted(0, kSlice, now_ns_);
  EXPECT_FALSE(Try(1, kUs, now_ns_).interval);
  EXPECT_FALSE(Try(2, kUs, now_ns_).interval);
  dead_.insert(1);
  now_ns_ += kSlice;
  EXPECT_EQ(Granted(2, kUs, 0).start_ns, now_ns_);
}

TEST_F(TimelineTest, GivesWithdrawnRequestsNoTurn) {
  Granted(0, kSlice, now_ns_);
  EXPECT_FALSE(Try(1, kUs, now_ns_).interval);
  EXPECT_FALSE(Try(2, kUs, now_ns_).interval);
  Timeline({*state_, seats_.get(), TurnRules::For(kSlice)}, is_alive_, now_ns_).Withdraw(1);
  now_ns_ += kSlice;
  EXPECT_EQ(Granted(2, kUs, 0).start_ns, now_ns_);
}

TEST_F(TimelineTest, WaitsWithWorkThatIsReadyOnlyLater) {
  const Attempt attempt = Try(0, kUs, now_ns_ + 10 * kMs);
  EXPECT_FALSE(attempt.interval);
  EXPECT_EQ(attempt.retry_ns, now_ns_ + 10 * kMs - TurnRules::For(kSlice).ahead_ns);
  EXPECT_EQ(Granted(1, kUs, now_ns_).start_ns, now_ns_);
}

TEST_F(TimelineTest, IsNotIdleWhileAnotherOnesWorkIsReady) {
  const Interval first = Granted(0, 100 * kUs, now_ns_);
  EXPECT_FALSE(Try(1, 30 * kUs, now_ns_).interval);
  now_ns_ = first.end_ns + 50 * kUs;
  // The owner's next work comes 50 us after its last: the other one's runs in between.
  const Interval next = Granted(0, 10 * kUs, now_ns_);
  const Interval other = Granted(1, 30 * kUs, 0);
  EXPECT_EQ(other.start_ns, first.end_ns);
  EXPECT_EQ(next.start_ns, now_ns_);
}

TEST_F(TimelineTest, PassesOverTheOneWhoseWorkIsNotReady) {
  const Interval first = Granted(0, kSlice, now_ns_, true);
  now_ns_ = first.end_ns - 100 * kUs;
  EXPECT_EQ(Granted(0, kSlice, 0, true).start_ns, first.end_ns);
  now_ns_ += kSlice;
  EXPECT_FALSE(Try(1, kUs, now_ns_ + 200 * kUs).interval);
  EXPECT_EQ(Granted(0, kSlice, 0, true).start_ns, first.end_ns + kSlice);
}

TEST_F(TimelineTest, CountsBusyTimeToTheNanosecond) {
  uint64_t expected = 0;
  for (uint64_t i = 0; i < 1000; ++i) {
    const uint64_t duration = 1 + i * 37 % 5000;
    const Interval interval = Granted(0, duration, now_ns_);
    now_ns_ = interval.end_ns + i % 3;  // with gaps and without
    expected += duration;
    ASSERT_EQ(Busy(0), expected);
  }
}

TEST_F(TimelineTest, CountsBusyTimeUpToNowOnly) {
  const Interval interval = Granted(0, kMs, now_ns_);
  EXPECT_EQ(Busy(0), 0u);
  now_ns_ = interval.start_ns + 300 * kUs;
  EXPECT_EQ(Busy(0), 300 * kUs);
  now_ns_ = interval.end_ns;
  EXPECT_EQ(Busy(0), kMs);
}

TEST(BusyHistory, GivesTheShareOfAWindow) {
  BusyHistory history{};
  const uint64_t start = 1000 * BusyHistory::kStretchNs;
  for (uint64_t i = 0; i < 100; ++i) {  // 3 of every 10 ms, for a second
    AddToHistory(history, {start + i * 10 * kMs, start + i * 10 * kMs + 3 * kMs});
  }
  const uint64_t now = start + 1000 * kMs;
  EXPECT_EQ(BusyWithin(history, now, 1000 * kMs), 300 * kMs);
  EXPECT_NEAR(static_cast<double>(BusyWithin(history, now, 500 * kMs)), 150.0 * kMs, 1.0 * kMs);
  EXPECT_EQ(BusyWithin(history, now + 5000 * kMs, 1000 * kMs), 0u);
}

TEST(BusyHistory, HoldsWorkLongerThanItself) {
  BusyHistory history{};
  const uint64_t start = 1000 * kMs;
  AddToHistory(history, {start, start + 60'000 * kMs});
  EXPECT_EQ(BusyWithin(history, start + 60'000 * kMs, 1000 * kMs), 1000 * kMs);
}

}  // namespace
}  // namespace simgpu::world

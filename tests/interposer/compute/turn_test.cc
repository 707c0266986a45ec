// Waiting for the turn: how it is told, how it ends, and what is counted.
#include <linux/futex.h>
#include <sys/syscall.h>

#include <errno.h>

#include <algorithm>
#include <array>

#include "compute/compute_test.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

class TurnTest : public ComputeTest {};

constexpr uint64_t kMs = 1'000'000;

// As an arbiter sleeps on it.
CUresult SleepUntilChanged(std::atomic<uint32_t>& word, uint32_t value) {
  constexpr timespec kLong = {.tv_sec = 8, .tv_nsec = 0};
  while (word == value) {
    if (syscall(SYS_futex, &word, FUTEX_WAIT, value, &kLong, nullptr, 0) != 0 && errno == ETIMEDOUT)
      return CUDA_ERROR_TIMEOUT;
  }
  return CUDA_SUCCESS;
}

TEST_F(TurnTest, AWaitWakesTheArbiter) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    turns_.Take();
    const uint32_t attention = turns_.attention();
    CallBeside arbiter(program.tenant(),
                       [&] { return SleepUntilChanged(turns_.attention(), attention); });
    ASSERT_TRUE(Eventually([&] { return arbiter.IsAsleep(); }));
    CallBeside held(program.tenant(), [&] { return program.Launch(kernel); });
    EXPECT_TRUE(arbiter.ReturnsInTime());
    EXPECT_EQ(arbiter.result(), CUDA_SUCCESS);
    turns_.Give();
  });
}

// Far sooner than it would look by itself, every 50 ms.
TEST_F(TurnTest, AWaitEndsAsSoonAsTheTurnComes) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    program.LaunchMany(20, kernel);
    program.Synchronize();
    std::array<uint64_t, 7> ended_after_ns;
    for (uint64_t& after_ns : ended_after_ns) {
      turns_.Take();
      CallBeside held(program.tenant(), [&] { return program.Launch(kernel); });
      EXPECT_TRUE(Eventually([&] { return turns_.IsAwaited() && held.IsAsleep(); }));
      const uint64_t given_ns = NowNs();
      turns_.Give();
      while (!held.HasReturned()) sched_yield();
      after_ns = NowNs() - given_ns;
    }
    std::sort(ended_after_ns.begin(), ended_after_ns.end());
    EXPECT_LT(ended_after_ns[ended_after_ns.size() / 2], 20 * kMs);
  });
}

// Else the arbiter would think that it has no work any more while it still waits for the card.
TEST_F(TurnTest, WorkEndsAfterWhatTheTenantBeforeHadInFlight) {
  constexpr uint64_t kLeftNs = 500 * kMs;
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    program.LaunchMany(20, kernel);
    program.Synchronize();
    turns_.Take();
    turns_.LeaveCardBusyUntil(NowNs() + kLeftNs);
    turns_.Give();
    EXPECT_EQ(program.Launch(kernel), CUDA_SUCCESS);
    EXPECT_GT(turns_.AheadNs(), kLeftNs / 5);
  });
}

// As when the processors were busy, and nobody woke up in time: the arbiter then takes it for gone.
TEST_F(TurnTest, WhoComesTooLateForATurnSaysThatItStillWaits) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    turns_.Take();
    CallBeside held(program.tenant(), [&] { return program.Launch(kernel); });
    ASSERT_TRUE(Eventually([&] { return turns_.IsAwaited() && held.IsAsleep(); }));
    const uint64_t since_ns = turns_.work(0).waits_since_ns;
    const uint32_t attention = turns_.attention();
    turns_.Miss();
    EXPECT_TRUE(Eventually([&] { return turns_.work(0).waits_since_ns > since_ns; }));
    EXPECT_TRUE(Eventually([&] { return turns_.attention() != attention; }));
    turns_.Give();
    EXPECT_TRUE(held.ReturnsInTime());
    EXPECT_EQ(turns_.WaitsCounted(), 1u) << "it was one wait";
  });
}

TEST_F(TurnTest, AWaitIsCounted) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    turns_.Take();
    CallBeside held(program.tenant(), [&] { return program.Launch(kernel); });
    ASSERT_TRUE(Eventually([&] { return turns_.IsAwaited(); }));
    const uint64_t since_ns = turns_.work(0).waits_since_ns;
    EXPECT_LE(since_ns, NowNs());
    EXPECT_EQ(turns_.WaitsCounted(), 0u) << "it is not over";
    EXPECT_TRUE(Eventually([&] { return NowNs() - since_ns > 9 * kMs; }));
    turns_.Give();
    EXPECT_TRUE(held.ReturnsInTime());
    EXPECT_GE(turns_.WaitedNs(), 9 * kMs);
    EXPECT_EQ(turns_.WaitsCounted(), 1u);
    EXPECT_EQ(turns_.WaitsCounted(/*least_us=*/8'192), 1u);
  });
}

TEST_F(TurnTest, ACallThatMayGoIsNotCounted) {
  InProgram([&](Program& program) {
    program.LaunchMany(10, program.Kernel("spin_20us"));
    EXPECT_EQ(turns_.WaitsCounted(), 0u);
    EXPECT_EQ(turns_.WaitedNs(), 0u);
  });
}

TEST_F(TurnTest, ThreadsThatWaitAreSeenUntilTheLastHasGone) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    CUstream streams[] = {program.NewStream(), program.NewStream()};
    turns_.Take();
    CallBeside first(program.tenant(), [&] { return program.Launch(kernel, streams[0]); });
    ASSERT_TRUE(Eventually([&] { return turns_.IsAwaited(); }));
    const uint64_t since_ns = turns_.work(0).waits_since_ns;
    CallBeside second(program.tenant(), [&] { return program.Launch(kernel, streams[1]); });
    EXPECT_TRUE(Eventually([&] { return second.IsAsleep(); }));
    EXPECT_EQ(turns_.work(0).waits_since_ns, since_ns) << "the first of them counts";
    turns_.Give();
    EXPECT_TRUE(first.ReturnsInTime() && second.ReturnsInTime());
    EXPECT_FALSE(turns_.IsAwaited());
    EXPECT_EQ(turns_.WaitsCounted(), 2u);
  });
}

// It is in flight while the turn is over, and the arbiter waits for its end.
TEST_F(TurnTest, TheArbiterHearsThatWorkHasEndedBeforeItWasExpectedTo) {
  InProgram([&](Program& program) {
    const auto synchronize = CALL(program.tenant().cuda, cuStreamSynchronize);
    CUstream stream = program.NewStream();
    CUgraphExec graph = program.NewGraph(program.Kernel("spin_20ms"), 1);
    for (int i = 0; i < 5; ++i) {
      ASSERT_EQ(program.LaunchGraph(graph, stream), CUDA_SUCCESS);
      ASSERT_EQ(synchronize(stream), CUDA_SUCCESS);
    }
    program.Replace(graph, program.Kernel("spin_20us"));
    ASSERT_EQ(program.LaunchGraph(graph, stream), CUDA_SUCCESS);
    EXPECT_GT(turns_.AheadNs(), 10 * kMs);
    turns_.Take();
    const uint32_t attention = turns_.attention();
    ASSERT_EQ(synchronize(stream), CUDA_SUCCESS);
    EXPECT_EQ(turns_.AheadNs(), 0u);
    EXPECT_NE(turns_.attention(), attention);
    turns_.Give();
  });
}

// What the call that waits does meanwhile: it looks at what is in flight.
TEST_F(TurnTest, AThreadThatWaitsSaysWhenTheWorkInFlightHasEnded) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_300us");
    program.LaunchMany(20, kernel);
    program.Synchronize();
    program.LaunchMany(5, kernel);
    turns_.Take();
    CallBeside held(program.tenant(), [&] { return program.Launch(kernel); });
    EXPECT_TRUE(Eventually([&] { return turns_.IsAwaited() && turns_.AheadNs() == 0; }));
    EXPECT_FALSE(held.HasReturned());
    turns_.Give();
  });
}

TEST_F(TurnTest, ATenantWhoseTimeIsNoLongerSharedGoesOn) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    turns_.Take();
    CallBeside held(program.tenant(), [&] { return program.Launch(kernel); });
    ASSERT_TRUE(Eventually([&] { return turns_.IsAwaited(); }));
    turns_.Share(abi::ComputeMode::kNone);
    EXPECT_TRUE(held.ReturnsInTime());
    EXPECT_FALSE(turns_.IsAwaited());
    turns_.Share(abi::ComputeMode::kHard);
    turns_.Give();
  });
}

}  // namespace
}  // namespace warpshare::testing

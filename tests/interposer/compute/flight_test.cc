// How much is in flight, so that a tenant can be stopped in time; and that waiting for what is in
// flight never ends a program that waits for itself.
#include <sys/prctl.h>

#include <algorithm>
#include <random>
#include <vector>

#include "compute/compute_test.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/graph/capture_api.h"
#include "simgpu/cuda/graph/exec_api.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kUs = 1'000;
constexpr uint64_t kKernelNs = 200 * kUs;
// What the queue's end may be put off by when the card is late, before it is looked at again.
constexpr uint64_t kLateNs = 30 * kUs;

class FlightTest : public ComputeTest {
 protected:
  // The most that was in flight while `count` kernels were submitted as fast as they may be. The
  // least of three times: a kernel during which the machine stood still is thought to be that long.
  template <typename Launch>
  uint64_t MostAheadOf(int count, Launch launch) {
    uint64_t least_ns = UINT64_MAX;
    for (int left = 3; left > 0; --left) {
      uint64_t most_ns = 0;
      for (int i = 0; i < count; ++i) {
        EXPECT_EQ(launch(i), CUDA_SUCCESS);
        most_ns = std::max(most_ns, turns_.AheadNs());
      }
      least_ns = std::min(least_ns, most_ns);
    }
    return least_ns;
  }
  uint64_t MostAhead(Program& program, int count, CUfunction kernel) {
    return MostAheadOf(count, [&](int) { return program.Launch(kernel); });
  }
  // Of kernels of 20 us to 1 ms.
  uint64_t MostAheadOfLengthsThatVary(Program& program) {
    CUfunction kernel = program.Kernel("spin_arg0us");
    std::mt19937 random(7);  // NOLINT: the same each time
    const auto launch = [&](int) { return program.LaunchFor(20 + random() % 981, kernel); };
    MostAheadOf(100, launch);
    program.Synchronize();
    return MostAheadOf(50, launch);
  }
};

TEST_F(FlightTest, IsBoundedByTwoMilliseconds) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    program.LaunchMany(20, kernel);
    program.Synchronize();
    const uint64_t most_ns = MostAhead(program, 200, kernel);
    EXPECT_LE(most_ns, 2'000 * kUs + kKernelNs);
    EXPECT_GE(most_ns, 1'000 * kUs) << "and not needlessly small";
  });
}

TEST_F(FlightTest, IsOneKernelWhereTheArbiterWantsNoneAhead) {
  turns_.LimitFlight(1);
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    program.LaunchMany(20, kernel);
    program.Synchronize();
    EXPECT_LE(MostAhead(program, 200, kernel), kKernelNs + kKernelNs / 8 + 40 * kUs + kLateNs);
  });
}

// Whoever comes while two are in flight waits for both. With timers that are on time: else the
// thread sleeps through the moments in which it might submit too soon.
TEST_F(FlightTest, IsNotTwoLongKernelsWhereTheArbiterWantsNoneAhead) {
  turns_.LimitFlight(1);
  InProgram([&](Program& program) {
    ASSERT_EQ(prctl(PR_SET_TIMERSLACK, 1), 0);
    CUfunction kernel = program.Kernel("spin_2ms");
    program.LaunchMany(20, kernel);
    std::vector<uint64_t> ahead_ns;
    for (int i = 0; i < 21; ++i) ahead_ns.push_back(MostAhead(program, 1, kernel));
    std::ranges::nth_element(ahead_ns, ahead_ns.begin() + 10);
    EXPECT_LE(ahead_ns[10], 2'000 * kUs + 25 * kUs);
  });
}

TEST_F(FlightTest, OfLengthsThatVaryIsLessWhereNoOtherTenantWouldUseTheGaps) {
  turns_.LeaveCardBusyUntil(abi::kCardWasItsOwn);
  InProgram([&](Program& program) {
    EXPECT_LE(MostAheadOfLengthsThatVary(program), 1'000 * kUs);
    turns_.LeaveCardBusyUntil(NowNs());
    EXPECT_GE(MostAheadOfLengthsThatVary(program), 1'200 * kUs) << "beside one that would";
  });
}

TEST_F(FlightTest, IsOneOfWhatWasNeverTimed) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_50ms");
    const uint64_t begin_ns = NowNs();
    ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
    ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
    EXPECT_GE(NowNs() - begin_ns, 50'000 * kUs) << "the second has waited for the first's end";
    EXPECT_GE(turns_.UsedNs(), 95'000 * kUs) << "and is known";
    EXPECT_GE(turns_.AheadNs(), 30'000 * kUs);
  });
}

// As programs launch whose input has another length each time.
TEST_F(FlightTest, NewShapesOfAKnownFunctionNeedNotWaitForEachOther) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    program.LaunchMany(20, kernel);
    program.Synchronize();
    uint64_t most_ns = 0;
    for (unsigned threads = 31; threads > 0; --threads) {
      ASSERT_EQ(program.LaunchShaped(kernel, threads), CUDA_SUCCESS);
      most_ns = std::max(most_ns, turns_.AheadNs());
    }
    EXPECT_GT(most_ns, 4 * kKernelNs) << "one at a time";
    EXPECT_LE(most_ns, 2'000 * kUs + 2 * kKernelNs);
  });
}

TEST_F(FlightTest, IsNotOverWhenAnotherContextOfTheProgramHasEnded) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUfunction kernel = program.Kernel("spin_20ms");
    CUcontext other = nullptr;
    ASSERT_EQ(CALL(cuda, cuCtxCreate_v2)(&other, 0, 0), CUDA_SUCCESS);
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(program.tenant().context), CUDA_SUCCESS);
      program.Synchronize();
      ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
      ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(other), CUDA_SUCCESS);
      program.Synchronize();
    }
    EXPECT_GT(turns_.AheadNs(), 1'000 * kUs);
    ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(program.tenant().context), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuCtxDestroy_v2)(other), CUDA_SUCCESS);
  });
}

TEST_F(FlightTest, AKernelLongerThanTheBoundMayRun) {
  InProgram([&](Program& program) {
    program.LaunchMany(10, program.Kernel("spin_5ms"));
    EXPECT_NEAR(static_cast<double>(turns_.UsedNs()), 10 * 5e6, 2e6);
  });
}

// As much as a program may have waiting in one stream of the simulated card.
class DependentTest : public FlightTest {
 protected:
  static constexpr int kDeep = 1'000;
  static constexpr uint64_t kBoundNs = 5'000'000 * kUs;

  // A host function, and whether it is over.
  static void AwaitEnd(void* is_over) {
    while (!*static_cast<std::atomic<bool>*>(is_over)) sched_yield();
  }

  static CUgraphExec GraphThatAwaits(Program& program, std::atomic<bool>& is_over) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUstream recording = program.NewStream();
    CUgraph graph = nullptr;
    CUgraphExec exec = nullptr;
    EXPECT_EQ(CALL(cuda, cuStreamBeginCapture_v2)(recording, CU_STREAM_CAPTURE_MODE_GLOBAL),
              CUDA_SUCCESS);
    EXPECT_EQ(CALL(cuda, cuLaunchHostFunc)(recording, AwaitEnd, &is_over), CUDA_SUCCESS);
    EXPECT_EQ(CALL(cuda, cuStreamEndCapture)(recording, &graph), CUDA_SUCCESS);
    EXPECT_EQ(CALL(cuda, cuGraphInstantiateWithFlags)(&exec, graph, 0), CUDA_SUCCESS);
    return exec;
  }
};

TEST_F(DependentTest, AStreamThatWaitsForAValueGetsAllThatComesBeforeTheValue) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_50us");
    CUstream stream = program.NewStream();
    const Program::Flag flag = program.NewFlag();
    program.LaunchMany(20, kernel, stream);
    const uint64_t begin_ns = NowNs();
    ASSERT_EQ(CALL(program.tenant().cuda, cuStreamWaitValue32)(stream, flag.address, 1,
                                                               CU_STREAM_WAIT_VALUE_GEQ),
              CUDA_SUCCESS);
    CallBeside deep(program.tenant(), [&] {
      program.LaunchMany(kDeep, kernel, stream);
      return CUDA_SUCCESS;
    });
    EXPECT_TRUE(deep.ReturnsInTime());
    EXPECT_LT(NowNs() - begin_ns, kBoundNs);
    flag.word->store(1);
    program.Synchronize();
    program.LaunchMany(1, kernel, stream);  // and books what is over
    EXPECT_NEAR(static_cast<double>(turns_.UsedNs()), (20 + kDeep) * 50e3, 2.5e6);
  });
}

TEST_F(DependentTest, AStreamWhoseWaitIsOverIsCounted) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUstream stream = program.NewStream();
    CUevent over = nullptr;
    ASSERT_EQ(CALL(cuda, cuEventCreate)(&over, CU_EVENT_DEFAULT), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuEventRecord)(over, nullptr), CUDA_SUCCESS);
    program.Synchronize();
    ASSERT_EQ(CALL(cuda, cuStreamWaitEvent)(stream, over, 0), CUDA_SUCCESS);
    CUfunction kernel = program.Kernel("spin_50ms");
    const uint64_t begin_ns = NowNs();
    ASSERT_EQ(program.Launch(kernel, stream), CUDA_SUCCESS);
    ASSERT_EQ(program.Launch(kernel, stream), CUDA_SUCCESS);
    EXPECT_GE(NowNs() - begin_ns, 50'000 * kUs) << "the second has waited for the first's end";
  });
}

// The default stream has the same handle in every context.
TEST_F(DependentTest, AStreamWhoseContextEndedWhileItWaitedIsCountedAgain) {
  InBareTenant([&](Tenant& tenant) {
    tenant.MakeContext();
    {
      Program program(tenant);
      const Program::Flag flag = program.NewFlag();
      program.LaunchMany(20, program.Kernel("spin_50us"));
      ASSERT_EQ(CALL(tenant.cuda, cuStreamWaitValue32)(nullptr, flag.address, 1,
                                                       CU_STREAM_WAIT_VALUE_GEQ),
                CUDA_SUCCESS);
      program.LaunchMany(200, program.Kernel("spin_50us"));
      flag.word->store(1);
      ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
    }
    tenant.MakeContext();
    Program program(tenant);
    program.LaunchMany(1, program.Kernel("spin_20ms"));
    program.LaunchMany(1, program.Kernel("spin_20ms"));
    EXPECT_GT(turns_.AheadNs(), 1'000 * kUs);
  });
}

TEST_F(DependentTest, AHostFunctionThatWaitsForThisThreadDoesNotStopIt) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_50us");
    CUstream stream = program.NewStream();
    std::atomic<bool> is_over{false};
    program.LaunchMany(20, kernel, stream);
    const uint64_t begin_ns = NowNs();
    ASSERT_EQ(CALL(program.tenant().cuda, cuLaunchHostFunc)(stream, AwaitEnd, &is_over),
              CUDA_SUCCESS);
    CallBeside deep(program.tenant(), [&] {
      program.LaunchMany(kDeep, kernel, stream);
      return CUDA_SUCCESS;
    });
    EXPECT_TRUE(deep.ReturnsInTime());
    EXPECT_LT(NowNs() - begin_ns, kBoundNs);
    is_over = true;
    program.Synchronize();
  });
}

// Nobody told that it waits: it only makes no progress.
TEST_F(DependentTest, AGraphThatWaitsForThisThreadDoesNotStopIt) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_50us");
    CUstream stream = program.NewStream();
    std::atomic<bool> is_over{false};
    CUgraphExec exec = GraphThatAwaits(program, is_over);
    ASSERT_EQ(program.LaunchGraph(exec, stream), CUDA_SUCCESS);
    CallBeside behind(program.tenant(), [&] {
      program.LaunchMany(100, kernel, stream);
      return CUDA_SUCCESS;
    });
    EXPECT_TRUE(behind.ReturnsInTime());
    is_over = true;
    program.Synchronize();
  });
}

// How long it took to be let through is not how long the graph takes.
TEST_F(DependentTest, AGraphThatWaitedForThisThreadOnceDoesNotKeepItWaiting) {
  InProgram([&](Program& program) {
    std::atomic<bool> is_over{false};
    CUgraphExec exec = GraphThatAwaits(program, is_over);
    CUstream stream = program.NewStream();
    CUfunction kernel = program.Kernel("spin_50us");
    program.LaunchMany(20, kernel);
    program.Synchronize();
    const auto round = [&] {
      is_over = false;
      ASSERT_EQ(program.LaunchGraph(exec, stream), CUDA_SUCCESS);
      program.LaunchMany(1, kernel);
      is_over = true;
      program.Synchronize();
    };
    round();
    const uint64_t begin_ns = NowNs();
    for (int i = 0; i < 10; ++i) round();
    EXPECT_LT(NowNs() - begin_ns, 5 * 100'000 * kUs);
  });
}

// The same, of work that was never timed: one at a time would be for ever.
TEST_F(DependentTest, NewWorkBehindAStreamThatWaitsGoesOn) {
  InProgram([&](Program& program) {
    CUstream stream = program.NewStream();
    const Program::Flag flag = program.NewFlag();
    ASSERT_EQ(CALL(program.tenant().cuda, cuStreamWaitValue32)(stream, flag.address, 1,
                                                               CU_STREAM_WAIT_VALUE_GEQ),
              CUDA_SUCCESS);
    CallBeside deep(program.tenant(), [&] {
      for (int i = 0; i < 50; ++i)
        program.LaunchMany(1, program.Kernel("kernel" + std::to_string(i) + "_50us"), stream);
      return CUDA_SUCCESS;
    });
    EXPECT_TRUE(deep.ReturnsInTime());
    flag.word->store(1);
  });
}

// The value comes from another stream, whose work is behind the bound.
TEST_F(DependentTest, AnotherStreamGetsThroughToWriteTheValue) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    CUstream waiting = program.NewStream();
    CUstream writing = program.NewStream();
    const Program::Flag flag = program.NewFlag();
    program.LaunchMany(20, kernel, waiting);
    ASSERT_EQ(CALL(program.tenant().cuda, cuStreamWaitValue32)(waiting, flag.address, 1,
                                                               CU_STREAM_WAIT_VALUE_GEQ),
              CUDA_SUCCESS);
    CallBeside both(program.tenant(), [&] {
      program.LaunchMany(20, kernel, waiting);
      program.LaunchMany(20, kernel, writing);
      return CALL(program.tenant().cuda, cuStreamWriteValue32)(writing, flag.address, 1,
                                                               CU_STREAM_WRITE_VALUE_DEFAULT);
    });
    EXPECT_TRUE(both.ReturnsInTime());
    EXPECT_EQ(both.result(), CUDA_SUCCESS);
    EXPECT_TRUE(Eventually([&] { return *flag.word == 1; }));
    if (*flag.word != 1) flag.word->store(1);
  });
}

}  // namespace
}  // namespace warpshare::testing

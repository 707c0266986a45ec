// That a tenant is charged what its work takes, whatever it was thought to take: against the
// simulated card, on which a kernel lasts as long as its name says.
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "compute/compute_test.h"
#include "simgpu/cuda/context/api.h"
#include "simgpu/cuda/event/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

class MeasureTest : public ComputeTest {
 protected:
  // That `body` is charged as `count` times `each_ns`. Tried five times: what is timed while the
  // machine stops this thread in the middle is too long, once.
  void ExpectCharged(double each_ns, int count, double tolerance,
                     const std::function<void()>& body) {
    double charged = 0;
    for (int left = 5; left > 0; --left) {
      const uint64_t before_ns = turns_.UsedNs();
      body();
      charged = static_cast<double>(turns_.UsedNs() - before_ns) / each_ns;
      if (std::abs(charged - count) <= tolerance) return;
    }
    EXPECT_NEAR(charged, count, tolerance);
  }
};

constexpr double kKernelNs = 200'000;

TEST_F(MeasureTest, KernelsOneAfterTheOtherAreChargedTheirTime) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    ExpectCharged(kKernelNs, 200, 15, [&] { program.LaunchMany(200, kernel); });
  });
}

TEST_F(MeasureTest, KernelsWithPausesAreChargedTheirTimeAndNotThePauses) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    ExpectCharged(kKernelNs, 100, 12, [&] {
      for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
        program.Synchronize();
        for (const uint64_t end_ns = NowNs() + 300'000; NowNs() < end_ns;) {
        }
      }
    });
  });
}

TEST_F(MeasureTest, GraphsAreChargedTheirTime) {
  InProgram([&](Program& program) {
    CUgraphExec graph = program.NewGraph(program.Kernel("spin_200us"), 5);
    ExpectCharged(5 * kKernelNs, 40, 4, [&] {
      for (int i = 0; i < 40; ++i) {
        ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
      }
    });
  });
}

// As of a program that records its work anew each time, under a cap: a turn is hardly longer.
TEST_F(MeasureTest, NewWorkInATurnOfItsOwnIsChargedItsTimeWhereTheCardWasFree) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    ExpectCharged(5 * kKernelNs, 20, 3, [&] {
      for (int i = 0; i < 20; ++i) {
        CUgraphExec graph = program.NewGraph(kernel, 5);
        turns_.Take();
        turns_.LeaveCardBusyUntil(NowNs() - 1'000'000);
        turns_.Give();
        ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
        program.Synchronize();
      }
    });
  });
}

// Their laps overlap: each takes the time of all, which is charged once.
TEST_F(MeasureTest, ThreadsOnStreamsOfTheirOwnAreChargedTogetherWhatTheCardDid) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    const CUstream streams[] = {program.NewStream(), program.NewStream(), nullptr};
    ExpectCharged(kKernelNs, 900, 30, [&] {
      std::vector<std::unique_ptr<CallBeside>> threads;
      for (CUstream stream : streams) {
        threads.push_back(
            std::make_unique<CallBeside>(program.tenant(), [&program, kernel, stream] {
              for (int i = 0; i < 300; ++i) {
                const CUresult result = program.Launch(kernel, stream);
                if (result != CUDA_SUCCESS) return result;
              }
              return CUDA_SUCCESS;
            }));
      }
      for (const auto& thread : threads) EXPECT_TRUE(thread->ReturnsInTime());
    });
  });
}

// More than there are events, and than there are places for streams.
TEST_F(MeasureTest, ManyStreamsAreChargedTogetherWhatTheCardDid) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    std::vector<CUstream> streams(200);
    for (CUstream& stream : streams) stream = program.NewStream();
    program.LaunchMany(20, kernel);
    ExpectCharged(kKernelNs, 400, 20, [&] {
      for (int round = 0; round < 2; ++round)
        for (CUstream stream : streams) ASSERT_EQ(program.Launch(kernel, stream), CUDA_SUCCESS);
    });
  });
}

// Of all of the card.
CUgreenCtx NewGreenContext(const CudaLibrary& cuda) {
  CUdevResource all{};
  CUdevResourceDesc part = nullptr;
  CUgreenCtx green = nullptr;
  EXPECT_EQ(CALL(cuda, cuDeviceGetDevResource)(0, &all, CU_DEV_RESOURCE_TYPE_SM), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuDevResourceGenerateDesc)(&part, &all, 1), CUDA_SUCCESS);
  EXPECT_EQ(CALL(cuda, cuGreenCtxCreate)(&green, part, 0, CU_GREEN_CTX_DEFAULT_STREAM),
            CUDA_SUCCESS);
  return green;
}

void EnterGreenContext(const CudaLibrary& cuda, CUgreenCtx green) {
  CUcontext context = nullptr;
  ASSERT_EQ(CALL(cuda, cuCtxFromGreenCtx)(&context, green), CUDA_SUCCESS);
  ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(context), CUDA_SUCCESS);
}

// The thread has another context or this one: a stream has its own.
TEST_F(MeasureTest, StreamsOfAGreenContextAreChargedTheirTime) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUfunction kernel = program.Kernel("spin_200us");
    const CUgreenCtx green = NewGreenContext(cuda);
    CUstream stream = nullptr;
    ASSERT_EQ(CALL(cuda, cuGreenCtxStreamCreate)(&stream, green, CU_STREAM_NON_BLOCKING, 0),
              CUDA_SUCCESS);
    const auto expect_charged = [&](CUstream used) {
      ExpectCharged(kKernelNs, 100, 12, [&] {
        program.LaunchMany(100, kernel, used);
        ASSERT_EQ(CALL(cuda, cuStreamSynchronize)(used), CUDA_SUCCESS);
      });
    };
    expect_charged(stream);
    EnterGreenContext(cuda, green);
    expect_charged(stream);
    expect_charged(nullptr);
    ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(program.tenant().context), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuGreenCtxDestroy)(green), CUDA_SUCCESS);
  });
}

// All streams of a context wait for one of another context, which waits for this thread.
class ContextWaitTest : public MeasureTest {
 protected:
  static constexpr uint64_t kWaitedNs = 40'000'000;

  // `wait` has the program's context wait for the event.
  void ExpectWaitIsFree(Program& program, CUstream waiting,
                        const std::function<CUresult(CUevent)>& wait) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUfunction kernel = program.Kernel("spin_200us");
    CUstream stream = program.NewStream();
    const Program::Flag flag = program.NewFlag();
    CUevent event = nullptr;
    ASSERT_EQ(CALL(cuda, cuEventCreate)(&event, CU_EVENT_DISABLE_TIMING), CUDA_SUCCESS);
    uint32_t round = 0;
    ExpectCharged(kKernelNs, 60, 15, [&] {
      program.LaunchMany(30, kernel, stream);
      ASSERT_EQ(
          CALL(cuda, cuStreamWaitValue32)(waiting, flag.address, ++round, CU_STREAM_WAIT_VALUE_GEQ),
          CUDA_SUCCESS);
      ASSERT_EQ(CALL(cuda, cuEventRecord)(event, waiting), CUDA_SUCCESS);
      ASSERT_EQ(wait(event), CUDA_SUCCESS);
      program.LaunchMany(5, kernel, stream);
      for (const uint64_t end_ns = NowNs() + kWaitedNs; NowNs() < end_ns;) {
      }
      *flag.word = round;
      program.LaunchMany(25, kernel, stream);
      program.Synchronize();
    });
  }
};

TEST_F(ContextWaitTest, IsNotCharged) {
  InProgram([&](Program& program) {
    ExpectWaitIsFree(program, program.NewStream(), [&](CUevent event) {
      return CALL(program.tenant().cuda, cuCtxWaitEvent)(program.tenant().context, event);
    });
  });
}

TEST_F(ContextWaitTest, IsNotChargedInAGreenContext) {
  InBareTenant([&](Tenant& tenant) {
    const CudaLibrary& cuda = tenant.cuda;
    tenant.MakeContext();
    CUstream waiting = Program(tenant).NewStream();
    const CUgreenCtx green = NewGreenContext(cuda);
    EnterGreenContext(cuda, green);
    Program program(tenant);
    ExpectWaitIsFree(program, waiting,
                     [&](CUevent event) { return CALL(cuda, cuGreenCtxWaitEvent)(green, event); });
  });
}

// Thousands of shapes, of which none comes twice: as where the input has another length each time.
// Each is of some waves of 216 blocks, 10 us each.
TEST_F(MeasureTest, ShapesThatNeverComeAgainAreChargedTheirTimeAndKeepTheCardBusy) {
  InProgram([&](Program& program) {
    std::vector<CUfunction> kernels;
    for (int i = 0; i < 40; ++i) kernels.push_back(program.Kernel("dynamic_" + std::to_string(i)));
    srand48(1);
    double part_charged = 0;
    double part_busy = 0;
    const auto round = [&](size_t count) {
      const uint64_t before_ns = turns_.UsedNs();
      const uint64_t begin_ns = NowNs();
      double sum_ns = 0;
      for (size_t i = 0; i < count; ++i) {
        const auto blocks = static_cast<unsigned>(1 + lrand48() % 10'000);
        sum_ns += 10e3 * ((blocks + 215) / 216);
        ASSERT_EQ(program.LaunchGrid(kernels[i % kernels.size()], blocks), CUDA_SUCCESS);
      }
      program.Synchronize();
      part_charged = static_cast<double>(turns_.UsedNs() - before_ns) / sum_ns;
      part_busy = sum_ns / static_cast<double>(NowNs() - begin_ns);
    };
    round(200);
    for (int left = 5; left > 0; --left) {
      round(1'000);
      if (std::abs(part_charged - 1) <= 0.05 && part_busy >= 0.9) return;
    }
    EXPECT_NEAR(part_charged, 1, 0.05);
    EXPECT_GE(part_busy, 0.9);
  });
}

// What was in flight when it changed has to end first.
TEST_F(MeasureTest, WorkThatBecomesLongerIsSoonChargedMore) {
  InProgram([&](Program& program) {
    CUgraphExec graph = program.NewGraph(program.Kernel("spin_200us"), 1);
    for (int i = 0; i < 50; ++i) ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
    program.Synchronize();
    program.Replace(graph, program.Kernel("spin_1ms"));
    for (int i = 0; i < 150; ++i) ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
    ExpectCharged(1e6, 100, 10, [&] {
      for (int i = 0; i < 100; ++i) ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
    });
  });
}

// In the rhythm of a program that waits for each result.
TEST_F(MeasureTest, WorkThatBecomesShorterIsSoonChargedLess) {
  InProgram([&](Program& program) {
    const auto launch_and_wait = [&](CUgraphExec graph, int count) {
      for (int i = 0; i < count; ++i) {
        ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
        program.Synchronize();
      }
    };
    CUgraphExec graph = program.NewGraph(program.Kernel("spin_1ms"), 1);
    launch_and_wait(graph, 30);
    program.Replace(graph, program.Kernel("spin_200us"));
    launch_and_wait(graph, 300);
    ExpectCharged(kKernelNs, 100, 20, [&] { launch_and_wait(graph, 100); });
  });
}

// Too seldom to be met by those launches that are timed now and then.
TEST_F(MeasureTest, AGraphThatIsChangedIsChargedWhatItTakesFromThenOn) {
  InProgram([&](Program& program) {
    CUfunction brief = program.Kernel("spin_1us");
    CUfunction lasting = program.Kernel("spin_20ms");
    CUgraphExec graph = program.NewGraph(brief, 1);
    const auto launch = [&](int count) {
      for (int i = 0; i < count; ++i) ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
      program.Synchronize();
    };
    launch(300);
    ExpectCharged(20e6, 5, 1, [&] {
      for (int i = 0; i < 5; ++i) {
        program.Update(graph, lasting);
        launch(1);
        program.Update(graph, brief);
        launch(200);
      }
    });
  });
}

// One name, now short and now long, in a rhythm of its own.
TEST_F(MeasureTest, WorkThatVariesIsChargedWhatItTakesInTheMean) {
  InProgram([&](Program& program) {
    CUfunction kernels[] = {program.Kernel("spin_100us"), program.Kernel("spin_3ms")};
    CUgraphExec graph = program.NewGraph(kernels[0], 1);
    const auto round = [&](int count) {
      for (int i = 0; i < count; ++i) {
        program.Replace(graph, kernels[i % 2]);
        ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
        program.Synchronize();
      }
    };
    round(10);
    ExpectCharged(3.1e6, 50, 5, [&] { round(100); });
  });
}

// What one of them measures has the other's work in it.
TEST_F(MeasureTest, TwoProcessesAreChargedForWorkThatBecomesLonger) {
  const auto body = [&](Tenant& tenant) {
    tenant.MakeContext();
    Program program(tenant);
    CUgraphExec graph = program.NewGraph(program.Kernel("spin_200us"), 1);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
    program.Replace(graph, program.Kernel("spin_1ms"));
    for (int i = 0; i < 1'600; ++i) ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
    program.Synchronize();
  };
  const pid_t one = StartBareTenant(body);
  const pid_t other = StartBareTenant(body);
  EXPECT_EQ(AwaitChild(one), 0);
  EXPECT_EQ(AwaitChild(other), 0);
  const double took_ms = 2 * (100 * 0.2 + 1'600 * 1.0);
  EXPECT_GT(static_cast<double>(turns_.UsedNs()) / 1e6, 0.8 * took_ms);
  EXPECT_LT(static_cast<double>(turns_.UsedNs()) / 1e6, 1.2 * took_ms);
}

TEST_F(MeasureTest, GoesOnAfterTheContextHasEndedInTheMiddle) {
  InBareTenant([&](Tenant& tenant) {
    for (int life = 0; life < 4; ++life) {
      SCOPED_TRACE(life);
      tenant.MakeContext();
      Program program(tenant);
      CUfunction kernel = program.Kernel("spin_200us");
      ExpectCharged(kKernelNs, 100, 12, [&] { program.LaunchMany(100, kernel); });
      program.LaunchMany(5, kernel);
      ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
    }
  });
}

TEST_F(MeasureTest, GoesOnInAnotherContextThanTheFirst) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    CUfunction kernel = program.Kernel("spin_200us");
    program.LaunchMany(1'000, kernel);  // more laps than there are events
    CUcontext other = nullptr;
    ASSERT_EQ(CALL(cuda, cuCtxCreate_v2)(&other, 0, 0), CUDA_SUCCESS);
    {
      Program beside(program.tenant());
      CUfunction others = beside.Kernel("spin_200us");
      ExpectCharged(kKernelNs, 100, 12, [&] { beside.LaunchMany(100, others); });
    }
    ASSERT_EQ(CALL(cuda, cuCtxDestroy_v2)(other), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(program.tenant().context), CUDA_SUCCESS);
    ExpectCharged(kKernelNs, 100, 12, [&] { program.LaunchMany(100, kernel); });
  });
}

class TwoCardsTest : public ComputeTest {
 protected:
  TwoCardsTest() { tenant_.limits().card_count = 2; }

  Turns second_{tenant_, 1};
};

TEST_F(TwoCardsTest, EachCardsAccountGetsItsOwn) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    program.LaunchMany(50, program.Kernel("spin_200us"));
    program.Synchronize();
    EXPECT_NEAR(static_cast<double>(turns_.UsedNs()), 50 * kKernelNs, 8 * kKernelNs);
    EXPECT_EQ(second_.UsedNs(), 0u);
    const uint64_t before_ns = turns_.UsedNs();
    CUcontext context = nullptr;
    ASSERT_EQ(CALL(cuda, cuDevicePrimaryCtxRetain)(&context, 1), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuCtxPushCurrent_v2)(context), CUDA_SUCCESS);
    turns_.Take();  // the first card's turn is not the second's
    {
      Program beside(program.tenant());
      beside.LaunchMany(50, beside.Kernel("spin_200us"));
      beside.Synchronize();
      // To a stream of it while the other card's context is current.
      CUfunction kernel = beside.Kernel("spin_200us");
      CUstream stream = beside.NewStream();
      ASSERT_EQ(CALL(cuda, cuCtxPopCurrent_v2)(nullptr), CUDA_SUCCESS);
      beside.LaunchMany(50, kernel, stream);
    }
    EXPECT_NEAR(static_cast<double>(second_.UsedNs()), 100 * kKernelNs, 12 * kKernelNs);
    EXPECT_EQ(turns_.UsedNs(), before_ns);
    turns_.Give();
    ASSERT_EQ(CALL(cuda, cuDevicePrimaryCtxRelease_v2)(1), CUDA_SUCCESS);
  });
}

}  // namespace
}  // namespace warpshare::testing

// That a tenant is charged what its work takes, whatever it was thought to take: against the
// simulated card, on which a kernel lasts as long as its name says.
#include <vector>

#include "compute/compute_test.h"
#include "simgpu/cuda/context/api.h"

namespace warpshare::testing {
namespace {

class MeasureTest : public ComputeTest {
 protected:
  // What is charged from now on, in units of `each_ns`.
  void BeginCounting() { before_ns_ = turns_.UsedNs(); }
  double Counted(double each_ns) const {
    return static_cast<double>(turns_.UsedNs() - before_ns_) / each_ns;
  }

 private:
  uint64_t before_ns_ = 0;
};

constexpr double kKernelNs = 200'000;

TEST_F(MeasureTest, KernelsOneAfterTheOtherAreChargedTheirTime) {
  InProgram([&](Program& program) {
    BeginCounting();
    program.LaunchMany(200, program.Kernel("spin_200us"));
    EXPECT_NEAR(Counted(kKernelNs), 200, 15);
  });
}

TEST_F(MeasureTest, KernelsWithPausesAreChargedTheirTimeAndNotThePauses) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    BeginCounting();
    for (int i = 0; i < 100; ++i) {
      ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
      program.Synchronize();
      for (const uint64_t end_ns = NowNs() + 300'000; NowNs() < end_ns;) {
      }
    }
    EXPECT_NEAR(Counted(kKernelNs), 100, 12);
  });
}

TEST_F(MeasureTest, GraphsAreChargedTheirTime) {
  InProgram([&](Program& program) {
    CUgraphExec graph = program.NewGraph(program.Kernel("spin_200us"), 5);
    BeginCounting();
    for (int i = 0; i < 40; ++i) {
      ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
    }
    EXPECT_NEAR(Counted(5 * kKernelNs), 40, 4);
  });
}

// Their laps overlap, so it is less exact.
TEST_F(MeasureTest, ThreadsOnStreamsOfTheirOwnAreChargedTogetherWhatTheCardDid) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    const CUstream streams[] = {program.NewStream(), program.NewStream(), nullptr};
    BeginCounting();
    {
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
    }
    EXPECT_NEAR(Counted(kKernelNs), 900, 225);
  });
}

// More than there are events, and than there are places for streams.
TEST_F(MeasureTest, ManyStreamsAreChargedTogetherWhatTheCardDid) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    std::vector<CUstream> streams(200);
    for (CUstream& stream : streams) stream = program.NewStream();
    program.LaunchMany(20, kernel);
    BeginCounting();
    for (int round = 0; round < 2; ++round)
      for (CUstream stream : streams) ASSERT_EQ(program.Launch(kernel, stream), CUDA_SUCCESS);
    EXPECT_NEAR(Counted(kKernelNs), 400, 60);
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
    BeginCounting();
    for (int i = 0; i < 100; ++i) ASSERT_EQ(program.LaunchGraph(graph), CUDA_SUCCESS);
    EXPECT_NEAR(Counted(1e6), 100, 10);
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
    BeginCounting();
    launch_and_wait(graph, 100);
    EXPECT_NEAR(Counted(kKernelNs), 100, 20);
  });
}

TEST_F(MeasureTest, GoesOnAfterTheContextHasEndedInTheMiddle) {
  InBareTenant([&](Tenant& tenant) {
    for (int life = 0; life < 4; ++life) {
      tenant.MakeContext();
      Program program(tenant);
      CUfunction kernel = program.Kernel("spin_200us");
      BeginCounting();
      program.LaunchMany(100, kernel);
      EXPECT_NEAR(Counted(kKernelNs), 100, 12) << "life " << life;
      program.LaunchMany(5, kernel);
      ASSERT_EQ(CALL(tenant.cuda, cuDevicePrimaryCtxReset_v2)(0), CUDA_SUCCESS);
    }
  });
}

TEST_F(MeasureTest, GoesOnInAnotherContextThanTheFirst) {
  InProgram([&](Program& program) {
    const CudaLibrary& cuda = program.tenant().cuda;
    program.LaunchMany(20, program.Kernel("spin_200us"));
    program.Synchronize();
    CUcontext other = nullptr;
    ASSERT_EQ(CALL(cuda, cuCtxCreate_v2)(&other, 0, 0), CUDA_SUCCESS);
    {
      Program beside(program.tenant());
      BeginCounting();
      beside.LaunchMany(100, beside.Kernel("spin_200us"));
      EXPECT_NEAR(Counted(kKernelNs), 100, 12);
    }
    ASSERT_EQ(CALL(cuda, cuCtxDestroy_v2)(other), CUDA_SUCCESS);
    ASSERT_EQ(CALL(cuda, cuCtxSetCurrent)(program.tenant().context), CUDA_SUCCESS);
    BeginCounting();
    program.LaunchMany(100, program.Kernel("spin_200us"));
    EXPECT_NEAR(Counted(kKernelNs), 100, 12);
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

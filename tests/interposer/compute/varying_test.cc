// Work that lasts now shorter and now longer under one name: what it is charged, and what the
// arbiter hears of its end.
#include <atomic>
#include <cmath>
#include <cstdlib>

#include "compute/compute_test.h"
#include "simgpu/cuda/launch/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

class VaryingTest : public ComputeTest {
 protected:
  static void LaunchAndWait(Program& program, CUfunction kernel, uint64_t us) {
    ASSERT_EQ(program.LaunchFor(us, kernel), CUDA_SUCCESS);
    program.Synchronize();
  }

  // Ended by the test, at the latest when it is over.
  struct Gate {
    static void Await(void* gate) { static_cast<Gate*>(gate)->is_open.wait(false); }
    void Open() {
      is_open = true;
      is_open.notify_all();
    }
    std::atomic<bool> is_open = false;
  };
};

// A mean of samples is off by a tenth here, in one direction or the other.
TEST_F(VaryingTest, EachIsChargedItsOwnTime) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_arg0us");
    srand48(1);
    const auto round = [&](int count) {
      double sum_us = 0;
      for (int i = 0; i < count; ++i) {
        const auto us = static_cast<uint64_t>(100 * std::pow(20, drand48()));
        sum_us += static_cast<double>(us);
        LaunchAndWait(program, kernel, us);
      }
      return sum_us;
    };
    round(300);
    double part = 0;
    for (int left = 5; left > 0 && std::abs(part - 1) > 0.02; --left) {
      const uint64_t before_ns = turns_.UsedNs();
      const double sum_us = round(150);
      part = static_cast<double>(turns_.UsedNs() - before_ns) / (1e3 * sum_us);
    }
    EXPECT_NEAR(part, 1, 0.02);
  });
}

// In ways that programs wait: 20 us, and 2 ms for one in fifty.
TEST_F(VaryingTest, ShortWorkThatIsSeldomLongIsChargedWhatItTakes) {
  const auto wait = [](Program& program, CUstream stream, bool asks) {
    const auto ask = CALL(program.tenant().cuda, cuStreamQuery);
    const auto synchronize = CALL(program.tenant().cuda, cuStreamSynchronize);
    if (!asks) return synchronize(stream);
    CUresult result;
    while ((result = ask(stream)) == CUDA_ERROR_NOT_READY) {
    }
    return result;
  };
  for (const bool asks : {false, true}) {
    InProgram([&](Program& program) {
      CUfunction kernel = program.Kernel("spin_arg0us");
      CUstream stream = program.NewStream();
      const auto round = [&](int count) {
        for (int i = 0; i < count; ++i) {
          ASSERT_EQ(program.LaunchFor(i % 50 == 37 ? 2'000 : 20, kernel, stream), CUDA_SUCCESS);
          ASSERT_EQ(wait(program, stream, asks), CUDA_SUCCESS);
        }
      };
      for (const uint64_t end_ns = NowNs() + 200'000'000; NowNs() < end_ns;) round(100);
      double part = 0;
      for (int left = 5; left > 0 && std::abs(part - 1) > 0.1; --left) {
        const uint64_t before_ns = turns_.UsedNs();
        round(1'000);
        part = static_cast<double>(turns_.UsedNs() - before_ns) / (20 * 2e6 + 980 * 20e3);
      }
      EXPECT_NEAR(part, 1, 0.1) << (asks ? "by asking" : "by waiting");
    });
  }
}

// Such short work is timed now and then, and once a long one may well be missed.
TEST_F(VaryingTest, WorkThatIsSeldomLongIsChargedByTheClock) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_arg0us");
    for (const uint64_t end_ns = NowNs() + 200'000'000; NowNs() < end_ns;)
      LaunchAndWait(program, kernel, 1);
    const uint64_t before_ns = turns_.UsedNs();
    for (int i = 0; i < 5; ++i) {
      LaunchAndWait(program, kernel, 1);
      LaunchAndWait(program, kernel, 40'000);
    }
    EXPECT_GT(turns_.UsedNs() - before_ns, 5 * 30'000'000u);
  });
}

TEST_F(VaryingTest, WhoWaitsForItsWorkSaysSoUntilThatHasEnded) {
  InProgram([&](Program& program) {
    const auto synchronize = CALL(program.tenant().cuda, cuStreamSynchronize);
    CUstream stream = program.NewStream();
    ASSERT_EQ(program.Launch(program.Kernel("spin_500ms"), stream), CUDA_SUCCESS);
    EXPECT_FALSE(turns_.IsEndAwaited());
    CallBeside wait(program.tenant(), [&] { return synchronize(stream); });
    EXPECT_TRUE(Eventually([&] { return turns_.IsEndAwaited(); }));
    turns_.Take();
    const uint32_t attention = turns_.attention();
    EXPECT_TRUE(wait.ReturnsInTime());
    EXPECT_FALSE(turns_.IsEndAwaited());
    EXPECT_NE(turns_.attention(), attention) << "the arbiter hears of it";
    turns_.Give();
  });
}

// It may do so for any time.
TEST_F(VaryingTest, WhoWaitsForAStreamThatWaitsForTheHostDoesNotSaySo) {
  Gate gate;
  InProgram([&](Program& program) {
    const auto call_host = CALL(program.tenant().cuda, cuLaunchHostFunc);
    const auto synchronize = CALL(program.tenant().cuda, cuStreamSynchronize);
    CUstream stream = program.NewStream();
    ASSERT_EQ(call_host(stream, &Gate::Await, &gate), CUDA_SUCCESS);
    ASSERT_EQ(program.Launch(program.Kernel("spin_20us"), stream), CUDA_SUCCESS);
    CallBeside wait(program.tenant(), [&] { return synchronize(stream); });
    EXPECT_TRUE(Eventually([&] { return wait.IsAsleep(); }));
    EXPECT_FALSE(turns_.IsEndAwaited());
    gate.Open();
    EXPECT_TRUE(wait.ReturnsInTime());
  });
}

TEST_F(VaryingTest, WhoWaitsForWorkThatVariesSaysHowMuchLaterItMayEnd) {
  InProgram([&](Program& program) {
    const auto synchronize = CALL(program.tenant().cuda, cuStreamSynchronize);
    CUfunction kernel = program.Kernel("spin_arg0us");
    CUstream stream = program.NewStream();
    for (int i = 0; i < 150; ++i) LaunchAndWait(program, kernel, i % 20 == 9 ? 20'000 : 200);
    ASSERT_EQ(program.LaunchFor(500'000, kernel, stream), CUDA_SUCCESS);
    CallBeside wait(program.tenant(), [&] { return synchronize(stream); });
    EXPECT_TRUE(Eventually([&] { return turns_.IsEndAwaited(); }));
    EXPECT_GT(turns_.LateUs(), 10'000u);
    EXPECT_LT(turns_.LateUs(), 20'000u);
    EXPECT_TRUE(wait.ReturnsInTime());
  });
}

// The call that is held back looks at it, as nobody else does.
TEST_F(VaryingTest, WhoWaitsForATurnTellsWhenWorkThatVariesHasEnded) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_arg0us");
    for (int i = 0; i < 150; ++i) LaunchAndWait(program, kernel, i % 20 == 9 ? 20'000 : 200);
    ASSERT_EQ(program.LaunchFor(500'000, kernel), CUDA_SUCCESS);
    turns_.Take();
    CallBeside held(program.tenant(), [&] { return program.LaunchFor(200, kernel); });
    EXPECT_TRUE(Eventually([&] { return turns_.IsAwaited() && turns_.LateUs() > 10'000; }));
    EXPECT_TRUE(Eventually([&] { return !turns_.IsEndAwaited(); }));
    EXPECT_FALSE(held.HasReturned());
    turns_.Give();
    EXPECT_TRUE(held.ReturnsInTime());
  });
}

}  // namespace
}  // namespace warpshare::testing

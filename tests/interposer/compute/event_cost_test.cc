// That a tenant is charged what its work takes and not what the events take that time it, on a card
// where an event takes time, as on a real one.
#include <cmath>
#include <vector>

#include "compute/compute_test.h"

namespace warpshare::testing {
namespace {

class EventCostTest : public ComputeTest, public ::testing::WithParamInterface<const char*> {
 protected:
  EventCostTest() : ComputeTest(std::string("event_cost = ") + GetParam()) {}

  // That what `body` does is charged as `kernels` of `each_ns`, within `percent`. The first times
  // it is learned what they take; then it is tried five times, as the machine may stop this thread.
  void ExpectCharged(int kernels, double each_ns, double percent,
                     const std::function<void()>& body) {
    body();
    double charged = 0;
    for (int left = 5; left > 0; --left) {
      const uint64_t before_ns = turns_.UsedNs();
      body();
      charged = static_cast<double>(turns_.UsedNs() - before_ns) / (kernels * each_ns) * 100;
      if (std::abs(charged - 100) <= percent) return;
    }
    EXPECT_NEAR(charged, 100, percent);
  }
};

using ShortEventTest = EventCostTest;
INSTANTIATE_TEST_SUITE_P(Cost, ShortEventTest, ::testing::Values("0us", "1500ns", "4us"),
                         [](const auto& cost) { return std::string(cost.param); });

TEST_P(ShortEventTest, AKernelThatIsWaitedForIsChargedItsTime) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    ExpectCharged(300, 20'000, 5, [&] {
      for (int i = 0; i < 300; ++i) {
        ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
        program.Synchronize();
      }
    });
  });
}

// The card is done with such a kernel, and waits for this thread, by the time that anything could
// be measured.
TEST_P(ShortEventTest, AKernelOfSomeMicrosecondsIsNotChargedLessThanItsTime) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_5us");
    const uint64_t before_ns = turns_.UsedNs();
    for (int i = 0; i < 2000; ++i) {
      ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
      program.Synchronize();
    }
    EXPECT_GE(turns_.UsedNs() - before_ns, 2000 * 5'000 / 100 * 97);
  });
}

// Longer than is believed of an event: what the card took for all of a turn's work tells.
using LongEventTest = EventCostTest;
INSTANTIATE_TEST_SUITE_P(Cost, LongEventTest, ::testing::Values("10us"),
                         [](const auto& cost) { return std::string(cost.param); });

TEST_P(LongEventTest, TheWorkOfShortTurnsIsChargedWhatTheCardTookForIt) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_50us");
    ExpectCharged(1200, 50'000, 6, [&] {
      for (int turn = 0; turn < 30; ++turn) {
        program.LaunchMany(40, kernel);
        turns_.Take();
        program.Synchronize();
        turns_.Give();
      }
    });
  });
}

using NoEventCostTest = EventCostTest;
INSTANTIATE_TEST_SUITE_P(Cost, NoEventCostTest, ::testing::Values("0us"),
                         [](const auto& cost) { return std::string(cost.param); });

TEST_P(NoEventCostTest, StreamsSideBySideAreChargedInShortTurnsWhatTheCardDid) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    std::vector<CUstream> streams(4);
    for (CUstream& stream : streams) stream = program.NewStream();
    ExpectCharged(10 * 60, 200'000, 5, [&] {
      for (int turn = 0; turn < 10; ++turn) {
        for (int i = 0; i < 60; ++i) program.LaunchMany(1, kernel, streams[i % 4]);
        turns_.Take();
        program.Synchronize();
        turns_.Give();
      }
    });
  });
}

}  // namespace
}  // namespace warpshare::testing

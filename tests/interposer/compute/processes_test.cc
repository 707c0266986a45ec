// Several busy processes of a tenant: what each of them measures has the others' work in it, and
// together they are to be charged what the card did.
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "compute/compute_test.h"
#include "simgpu/cuda/copy/api.h"
#include "simgpu/cuda/memory/api.h"
#include "simgpu/cuda/stream/api.h"

namespace warpshare::testing {
namespace {

class ProcessesTest : public ComputeTest {
 protected:
  using Body = std::function<void(Program&)>;

  pid_t Start(const Body& body) {
    return StartBareTenant([body](Tenant& tenant) {
      tenant.MakeContext();
      Program program(tenant);
      body(program);
    });
  }

  // By what part of `took_ns` they were charged, once they are over. They take the slots of those
  // before.
  double PartCharged(std::initializer_list<Body> bodies, double took_ns) {
    std::vector<pid_t> processes;
    for (const Body& body : bodies) processes.push_back(Start(body));
    for (const pid_t process : processes) EXPECT_EQ(AwaitChild(process), 0);
    return static_cast<double>(turns_.UsedNs()) / took_ns;
  }

  static Body LaunchesAndWaits(int count, std::function<uint64_t(int)> us) {
    return [=](Program& program) {
      CUfunction kernel = program.Kernel("spin_arg0us");
      for (int i = 0; i < count; ++i) {
        ASSERT_EQ(program.LaunchFor(us(i), kernel), CUDA_SUCCESS);
        program.Synchronize();
      }
    };
  }
};

TEST_F(ProcessesTest, ThatWaitForEachOfTheirKernelsAreChargedWhatTheCardDid) {
  const Body body = LaunchesAndWaits(800, [](int) { return 200; });
  EXPECT_NEAR(PartCharged({body, body, body}, 3 * 800 * 200e3), 1, 0.1);
}

// What one thread waits for has the work of its process's other threads in it, too.
TEST_F(ProcessesTest, OfSeveralThreadsThatWaitAreChargedWhatTheCardDid) {
  constexpr int kThreads = 3;
  constexpr int kEach = 400;
  const Body body = [](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&program, kernel] { program.LaunchAndWaitInThread(kernel, kEach); });
    for (std::thread& thread : threads) thread.join();
  };
  EXPECT_NEAR(PartCharged({body, body}, 2 * kThreads * kEach * 200e3), 1, 0.1);
}

TEST_F(ProcessesTest, OfWhichOneIsShorterAreChargedWhatTheCardDid) {
  const Body shorter = LaunchesAndWaits(800, [](int) { return 150; });
  const Body longer = LaunchesAndWaits(800, [](int) { return 450; });
  EXPECT_NEAR(PartCharged({shorter, longer}, 800 * 600e3), 1, 0.1);
}

// They are over before they could learn from a kernel that they had the card to themselves for.
TEST_F(ProcessesTest, ThatAreSoonOverAreChargedWhatTheCardDid) {
  const Body body = LaunchesAndWaits(10, [](int) { return 2'000; });
  double part = 0;
  for (int i = 0; i < 8; ++i) part += PartCharged({body, body, body}, 3 * 10 * 2e6) / 8;
  EXPECT_NEAR(part, 1, 0.1);
}

// In a queue nobody sees how long one of them takes, beside others' least of all. The card is never
// idle, so that they are to be charged the time that passes, once they have learned what they can.
TEST_F(ProcessesTest, ThatKeepTheCardBusyWithLengthsThatVaryAreChargedTheTimeThatPasses) {
  constexpr uint64_t kMs = 1'000'000;
  const Body body = [](Program& program) {
    CUfunction kernel = program.Kernel("spin_arg0us");
    std::mt19937 random(static_cast<uint32_t>(getpid()));  // NOLINT: each its own
    for (;;) (void)program.LaunchFor(20 + random() % 1'981, kernel);
  };
  std::vector<pid_t> processes;
  for (int i = 0; i < 3; ++i) processes.push_back(Start(body));
  const auto await_charge = [this](uint64_t ns) {
    EXPECT_TRUE(Eventually([&] { return turns_.UsedNs() >= ns; }));
    return std::pair(turns_.UsedNs(), std::chrono::steady_clock::now());
  };
  const auto [used_before_ns, before] = await_charge(700 * kMs);
  const auto [used_ns, now] = await_charge(used_before_ns + 1'000 * kMs);
  for (const pid_t process : processes) {
    kill(process, SIGKILL);
    AwaitChild(process);
  }
  const std::chrono::duration<double, std::nano> passed = now - before;
  EXPECT_NEAR(static_cast<double>(used_ns - used_before_ns) / passed.count(), 1, 0.1);
}

TEST_F(ProcessesTest, ThatKeepTheCardBusyAreChargedWhatItDid) {
  const Body body = [](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    for (int i = 0; i < 200; ++i) {
      program.LaunchMany(100, kernel);
      program.Synchronize();
    }
  };
  EXPECT_NEAR(PartCharged({body, body, body}, 3 * 200 * 100 * 20e3), 1, 0.1);
}

// Each has something else to do between its kernels, and what the card did for one is looked at
// when another's later work is over, too.
TEST_F(ProcessesTest, ThatWaitForNothingAreChargedWhatTheCardDid) {
  constexpr int kEach = 300;
  static constexpr timespec kElse = {.tv_sec = 0, .tv_nsec = 2'000'000};
  const Body body = [](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    for (int i = 0; i < kEach; ++i) {
      ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
      nanosleep(&kElse, nullptr);
    }
    program.Synchronize();
  };
  EXPECT_NEAR(PartCharged({body, body, body, body}, 4 * kEach * 200e3), 1, 0.1);
}

// They wake up from each copy when they get a processor, which is no time of the card's.
TEST_F(ProcessesTest, ThatWaitByCopyingAreChargedWhatTheCardDid) {
  constexpr int kEach = 6'000;
  constexpr double kCopyNs = 2e3;  // and next to nothing for four bytes
  const Body body = [](Program& program) {
    CUfunction kernel = program.Kernel("spin_40us");
    const CudaLibrary& cuda = program.tenant().cuda;
    CUdeviceptr there = 0;
    ASSERT_EQ(CALL(cuda, cuMemAlloc_v2)(&there, 4), CUDA_SUCCESS);
    for (int i = 0; i < kEach; ++i) {
      uint32_t word = 0;
      ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
      ASSERT_EQ(CALL(cuda, cuMemcpyDtoH_v2)(&word, there, 4), CUDA_SUCCESS);
    }
  };
  EXPECT_NEAR(PartCharged({body, body, body}, 3 * kEach * (40e3 + kCopyNs)), 1, 0.1);
}

TEST_F(ProcessesTest, WhoseKernelsLastDifferentlyAreChargedWhatTheCardDid) {
  const Body body = LaunchesAndWaits(800, [](int i) { return i % 20 == 13 ? 5'000 : 200; });
  EXPECT_NEAR(PartCharged({body, body, body}, 3 * (40 * 5e6 + 760 * 200e3)), 1, 0.1);
}

}  // namespace
}  // namespace warpshare::testing

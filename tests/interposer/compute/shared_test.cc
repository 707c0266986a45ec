// A card that other tenants use at the same time: what passes there is not this tenant's alone.
#include <sys/mman.h>

#include <functional>
#include <new>
#include <vector>

#include "compute/compute_test.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr double kKernelNs = 200e3;

class SharedTest : public ComputeTest {
 protected:
  ~SharedTest() override {
    stage_->phase = Phase::kOver;
    for (const pid_t neighbor : neighbors_) EXPECT_EQ(AwaitChild(neighbor), 0);
  }

  // Programs outside of the tenant that keep the card busy while turns are shared. Before the
  // tenant's process: a child of one that has called the driver cannot call it.
  void StartNeighbors(int count) {
    for (; count > 0; --count) {
      neighbors_.push_back(StartBareTenant([this](Tenant& tenant) {
        Tenant bare{.cuda = tenant.bare, .bare = tenant.bare, .dir = tenant.dir};
        bare.MakeContext();
        Program program(bare);
        CUfunction kernel = program.Kernel("spin_500us");
        while (Eventually([&] { return stage_->phase != Phase::kOwn; }) &&
               stage_->phase == Phase::kShared) {
          ++stage_->busy;
          program.LaunchMany(10, kernel);
          program.Synchronize();
          --stage_->busy;
        }
      }));
    }
  }
  void InProgram(const std::function<void(Program&)>& body) {
    InBareTenant([&](Tenant& tenant) {
      tenant.MakeContext();
      Program program(tenant);
      body(program);
      program.Synchronize();
    });
  }
  void BeginSharing() {
    turns_.BeginSharing();
    stage_->phase = Phase::kShared;
  }
  // When the neighbors are done, too.
  void EndSharing(Program& program) {
    stage_->phase = Phase::kOwn;
    EXPECT_TRUE(Eventually([&] { return stage_->busy == 0; }));
    program.Synchronize();
    turns_.EndSharing();
  }

  static void LaunchAndWait(Program& program, CUfunction kernel, int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
      program.Synchronize();
    }
  }
  // A kernel in the mean.
  double ChargedNs(Program& program, CUfunction kernel, int count) {
    const uint64_t before_ns = turns_.UsedNs();
    LaunchAndWait(program, kernel, count);
    return static_cast<double>(turns_.UsedNs() - before_ns) / count;
  }

 private:
  enum class Phase : uint32_t { kOwn, kShared, kOver };

  // Of all processes.
  struct Stage {
    std::atomic<Phase> phase = Phase::kOwn;
    std::atomic<int> busy = 0;  // neighbors
  };
  Stage* stage_ =
      new (mmap(nullptr, sizeof(Stage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
          Stage;
  std::vector<pid_t> neighbors_;
};

TEST_F(SharedTest, WorkThatIsKnownIsChargedWhatItTakesAndStaysKnown) {
  StartNeighbors(1);
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    LaunchAndWait(program, kernel, 100);
    BeginSharing();
    const uint64_t begin_ns = NowNs();
    EXPECT_NEAR(ChargedNs(program, kernel, 150), kKernelNs, kKernelNs / 20);
    EXPECT_GT(static_cast<double>(NowNs() - begin_ns), 1.5 * 150 * kKernelNs);
    EndSharing(program);
    EXPECT_NEAR(ChargedNs(program, kernel, 20), kKernelNs, kKernelNs / 20);
  });
}

TEST_F(SharedTest, NewWorkIsLearnedAnewWhenTheCardIsTheTenantsAgain) {
  StartNeighbors(2);
  InProgram([&](Program& program) {
    BeginSharing();
    CUfunction kernel = program.Kernel("spin_200us");
    LaunchAndWait(program, kernel, 20);
    EndSharing(program);
    LaunchAndWait(program, kernel, 10);
    EXPECT_NEAR(ChargedNs(program, kernel, 50), kKernelNs, kKernelNs / 20);
  });
}

// It launches faster than the card does it beside the others, and waits for nothing.
TEST_F(SharedTest, WhatIsInFlightIsBounded) {
  StartNeighbors(3);
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_20us");
    LaunchAndWait(program, kernel, 200);
    BeginSharing();
    for (const uint64_t begin_ns = NowNs(); NowNs() < begin_ns + 500 * kMs;) {
      ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
      for (const uint64_t launched_ns = NowNs(); NowNs() < launched_ns + 20'000;) {
      }
    }
    const uint64_t begin_ns = NowNs();
    program.Synchronize();
    EXPECT_LT(NowNs() - begin_ns, 60 * kMs);
    EndSharing(program);
  });
}

}  // namespace
}  // namespace warpshare::testing

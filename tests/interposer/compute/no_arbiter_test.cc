// Without an arbiter: a tenant keeps to its static share by its own measure, however many processes
// it has, and nobody waits for anybody.
#include <pthread.h>
#include <sys/mman.h>

#include "compute/compute_test.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kKernelNs = 200'000;
constexpr uint64_t kRunNs = 1'000'000'000;

// What the processes of a test have in common.
struct Together {
  pthread_barrier_t start;
  std::atomic<uint64_t> kernels;
  std::atomic<uint64_t> begin_ns;
  std::atomic<uint64_t> end_ns;
};

class NoArbiterTest : public ComputeTest {
 protected:
  NoArbiterTest() { turns_.Renew(0); }

  // Percent of the card that `processes` take together in a second, each with a kernel of 200 us
  // after the other. By what the simulated card has done, not by what was charged.
  double PercentTaken(unsigned processes) {
    auto& together = *static_cast<Together*>(
        mmap(nullptr, sizeof(Together), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    pthread_barrierattr_t shared;
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&together.start, &shared, processes);
    std::vector<pid_t> children;
    for (unsigned i = 0; i < processes; ++i)
      children.push_back(StartBareTenant([&](Tenant& tenant) { RunFor(tenant, together); }));
    for (const pid_t child : children) EXPECT_EQ(AwaitChild(child), 0);
    const double busy_ns = static_cast<double>(together.kernels * kKernelNs);
    const double passed_ns = static_cast<double>(together.end_ns - together.begin_ns);
    munmap(&together, sizeof(together));
    return 100 * busy_ns / passed_ns;
  }

 private:
  static void RunFor(Tenant& tenant, Together& together) {
    tenant.MakeContext();
    Program program(tenant);
    CUfunction kernel = program.Kernel("spin_200us");
    pthread_barrier_wait(&together.start);
    const uint64_t begin_ns = NowNs();
    uint64_t kernels = 0;
    for (; NowNs() - begin_ns < kRunNs; ++kernels) ASSERT_EQ(program.Launch(kernel), CUDA_SUCCESS);
    program.Synchronize();
    together.kernels += kernels;
    together.begin_ns = begin_ns;
    together.end_ns = NowNs();
  }
};

// A process may have saved up 10 ms, and has 2 ms in flight at the end: little more than a point
// each. That it gets no less is seen where no processor is short (static_share_test.cc).
TEST_F(NoArbiterTest, ATenantKeepsToItsStaticShare) {
  turns_.Promise(300);
  EXPECT_LT(PercentTaken(1), 33);
  EXPECT_GT(turns_.WaitsCounted(), 0u);
}

// Its arbiter renews the word and did not take it away in time, or hangs.
TEST_F(NoArbiterTest, ATenantWhoseTurnIsOverKeepsToItsStaticShare) {
  turns_.Promise(300);
  turns_.Renew(UINT64_MAX);
  turns_.EndAt(1);
  EXPECT_LT(PercentTaken(1), 33);
  turns_.EndAt(UINT64_MAX);
  EXPECT_GT(PercentTaken(1), 60);
  turns_.EndAt(0);
  EXPECT_GT(PercentTaken(1), 60);
}

TEST_F(NoArbiterTest, TheProcessesOfATenantHaveOneShareTogether) {
  turns_.Promise(300);
  EXPECT_LT(PercentTaken(4), 37);
}

TEST_F(NoArbiterTest, ATenantWithoutAPromiseIsNotHeldBack) {
  turns_.Promise(0);
  EXPECT_GT(PercentTaken(1), 0);
  EXPECT_EQ(turns_.WaitsCounted(), 0u);
}

TEST_F(NoArbiterTest, TheWordMeansNothing) {
  InProgram([&](Program& program) {
    turns_.Take();
    program.LaunchMany(20, program.Kernel("spin_200us"));
    EXPECT_GT(turns_.UsedNs(), 0u) << "it is measured all the same";
    EXPECT_EQ(turns_.WaitsCounted(), 0u);
  });
}

TEST_F(NoArbiterTest, Scenario12_WhoWaitsForAnArbiterThatDiesGoesOn) {
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    turns_.Take();
    turns_.Renew(UINT64_MAX);
    CallBeside held(program.tenant(), [&] { return program.Launch(kernel); });
    ASSERT_TRUE(Eventually([&] { return turns_.IsAwaited() && held.IsAsleep(); }));
    turns_.Renew(NowNs() + 1'000'000);  // the last time
    EXPECT_TRUE(held.ReturnsInTime());
    EXPECT_EQ(held.result(), CUDA_SUCCESS);
  });
}

TEST_F(NoArbiterTest, WhoKeepsToItsShareIsSeenToWait) {
  turns_.Promise(50);
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_1ms");
    CallBeside slow(program.tenant(), [&] {
      program.LaunchMany(20, kernel);
      return CUDA_SUCCESS;
    });
    EXPECT_TRUE(Eventually([&] { return turns_.IsAwaited(); }));
    // An arbiter comes, with a turn.
    turns_.Renew(UINT64_MAX);
    turns_.Give();
    EXPECT_TRUE(slow.ReturnsInTime());
    EXPECT_FALSE(turns_.IsAwaited());
  });
}

// The parent's accounts, waits and locks are the parent's, even if it was forked in the middle.
TEST_F(NoArbiterTest, AForkChildBeginsAnew) {
  turns_.Renew(UINT64_MAX);
  InProgram([&](Program& program) {
    CUfunction kernel = program.Kernel("spin_200us");
    program.LaunchMany(20, kernel);
    program.Synchronize();
    turns_.Take();
    const uint64_t used_ns = turns_.work(0).used_ns;
    CallBeside held(program.tenant(), [&] { return program.Launch(kernel); });
    ASSERT_TRUE(Eventually([&] { return turns_.IsAwaited() && held.IsAsleep(); }));
    const pid_t child = StartChild([&] {
      // Refused by the driver, as by a real one after a fork; the tenant's word comes first.
      return program.Launch(kernel) != CUDA_SUCCESS;
    });
    EXPECT_TRUE(Eventually([&] { return turns_.work(1).waits_since_ns != 0; }));
    EXPECT_LT(turns_.work(0).used_ns - used_ns, kKernelNs) << "what is measured of the last ones";
    turns_.Give();
    EXPECT_EQ(AwaitChild(child), 0);
    EXPECT_TRUE(held.ReturnsInTime());
    EXPECT_EQ(held.result(), CUDA_SUCCESS);
    EXPECT_LE(turns_.work(1).used_ns, 20'000u) << "a guess, not what the parent has learned";
    EXPECT_EQ(turns_.work(1).waits_since_ns, 0u);
    const uint64_t before_ns = turns_.work(0).used_ns;
    program.LaunchMany(50, kernel);
    EXPECT_NEAR(static_cast<double>(turns_.work(0).used_ns - before_ns), 50.0 * kKernelNs,
                8.0 * kKernelNs);
  });
}

}  // namespace
}  // namespace warpshare::testing

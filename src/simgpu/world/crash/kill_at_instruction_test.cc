// A process is single-stepped to a chosen instruction of its work and killed there.
#include <gtest/gtest.h>
#include <sys/ptrace.h>

#include <random>

#include "simgpu/world/testing/consistency.h"
#include "simgpu/world/testing/spawn.h"
#include "simgpu/world/testing/temp_world.h"

namespace simgpu::world {
namespace {

constexpr int kKills = 190;
constexpr int kOperations = 19;
constexpr int kReapOperation = 17;
constexpr int kReapKills = 30;
constexpr unsigned kReapLength = 12'000;
constexpr unsigned kLongest =
    2500;  // instructions; most operations are shorter, the next one is then reached

// The child, stopped before the operation.
pid_t StartTraced(const std::string& directory, int operation) {
  const std::string program = StormProgram();
  const std::string number = std::to_string(operation);
  const pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
    execl(program.c_str(), program.c_str(), directory.c_str(), "sequence", number.c_str(), nullptr);
    _exit(2);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);  // the exec's stop
  ptrace(PTRACE_CONT, child, nullptr, nullptr);
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP) << status;
  return child;
}

void Step(pid_t child, unsigned instructions) {
  for (unsigned i = 0; i < instructions; ++i) {
    int status = 0;
    if (ptrace(PTRACE_SINGLESTEP, child, nullptr, nullptr) != 0) return;
    if (waitpid(child, &status, 0) != child || !WIFSTOPPED(status)) return;
  }
}

class KillAtInstruction : public ::testing::Test {
 protected:
  KillAtInstruction() { std::printf("seed %u\n", seed_); }

  void ExpectAWholeWorld(const std::string& where) {
    ASSERT_EQ(FindInconsistency(temp_.directory()), "") << where;
    for (int card = 0; card < 2; ++card) ASSERT_EQ(world_->memory().Use(card).used, 0u) << where;
    const uint64_t asked_ns = NowNs();
    const Interval interval = world_->engine().Reserve({.duration_ns = 1000, .ready_ns = asked_ns});
    ASSERT_LE(interval.start_ns, asked_ns + 1'000'000'000) << where;
  }

  const unsigned seed_ = std::random_device()();
  std::mt19937 random_{seed_};
  const TempWorld temp_;
  const std::unique_ptr<World> world_ = temp_.Open();
};

TEST_F(KillAtInstruction, LeavesAWholeWorldWhereverItIs) {
  for (int i = 0; i < kKills; ++i) {
    const int operation = i % kOperations;
    const unsigned instruction = random_() % kLongest;
    const pid_t child = StartTraced(temp_.directory(), operation);
    Step(child, instruction);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    ASSERT_NO_FATAL_FAILURE(ExpectAWholeWorld("operation " + std::to_string(operation) + " + " +
                                              std::to_string(instruction)));
  }
}

TEST_F(KillAtInstruction, LeavesAWholeWorldWhileItReapsAnother) {
  for (int i = 0; i < kReapKills; ++i) {
    const unsigned instruction = random_() % kReapLength;
    const pid_t child = StartTraced(temp_.directory(), kReapOperation);
    const pid_t victim = StartTraced(temp_.directory(), kReapOperation - 3);  // holds everything
    kill(victim, SIGKILL);
    waitpid(victim, nullptr, 0);
    Step(child, instruction);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    ASSERT_NO_FATAL_FAILURE(ExpectAWholeWorld("reaping + " + std::to_string(instruction)));
  }
}

}  // namespace
}  // namespace simgpu::world

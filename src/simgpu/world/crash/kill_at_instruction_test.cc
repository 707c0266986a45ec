// A process is single-stepped to a chosen instruction of its work and killed there.
#include <gtest/gtest.h>
#include <sys/ptrace.h>

#include <random>

#include "simgpu/world/crash/spawn.h"
#include "simgpu/world/testing/consistency.h"
#include "simgpu/world/testing/temp_world.h"

namespace simgpu::world {
namespace {

constexpr int kKills = 300;
constexpr int kOperations = 19;
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

TEST(KillAtInstruction, LeavesAWholeWorldWhereverItIs) {
  const TempWorld temp;
  const auto world = temp.Open();
  const unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  for (int i = 0; i < kKills; ++i) {
    const int operation = i % kOperations;
    const unsigned instruction = random() % kLongest;
    const std::string where =
        "operation " + std::to_string(operation) + " + " + std::to_string(instruction);
    const pid_t child = StartTraced(temp.directory(), operation);
    Step(child, instruction);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    ASSERT_EQ(FindInconsistency(temp.directory()), "") << where;
    for (int card = 0; card < 2; ++card) {
      ASSERT_EQ(world->memory().Use(card).used, 0u) << where;
    }
    const uint64_t asked_ns = NowNs();
    const Interval interval = world->engine().Reserve({.duration_ns = 1000, .ready_ns = asked_ns});
    ASSERT_LE(interval.start_ns, asked_ns + 1'000'000'000) << where;
  }
}

}  // namespace
}  // namespace simgpu::world

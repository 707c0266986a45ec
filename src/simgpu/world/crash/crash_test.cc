// Processes killed at random instants while they use everything: nothing they held stays away,
// nobody hangs.
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>

#include <random>

#include "simgpu/world/testing/consistency.h"
#include "simgpu/world/testing/spawn.h"
#include "simgpu/world/testing/temp_world.h"

namespace simgpu::world {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr int kAtATime = 8;
constexpr int kDeaths = 400;

void ExpectNothingIsLeft(World& world) {
  EXPECT_TRUE(world.Processes().empty());
  for (int card = 0; card < world.card_count(); ++card) {
    EXPECT_EQ(world.memory().Use(card).used, 0u);
    struct stat status;
    const std::string path = world.directory() + "/card" + std::to_string(card) + ".mem";
    ASSERT_EQ(stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_blocks, 0) << "pages of card " << card << " are still committed";
  }
}

bool HasAnything(World& world) {
  if (!world.Processes().empty()) return true;
  for (int card = 0; card < world.card_count(); ++card)
    if (world.memory().Use(card).used != 0) return true;
  return false;
}

void ExpectEnginesAreFree(World& world) {
  for (int card = 0; card < world.card_count(); ++card) {
    for (int kind = 0; kind < kEngineKinds; ++kind) {
      const uint64_t asked_ns = NowNs();
      const Interval interval = world.engine().Reserve({.card = card,
                                                        .engine = static_cast<EngineKind>(kind),
                                                        .duration_ns = 1000,
                                                        .ready_ns = asked_ns});
      EXPECT_LE(interval.start_ns, asked_ns + 100 * kMs);
    }
  }
}

TEST(Crash, HundredsOfKillsLoseNothing) {
  const TempWorld temp;
  const auto world = temp.Open();
  unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  std::vector<pid_t> children;
  const auto spawn_one = [&] { return Spawn({temp.directory(), "storm", std::to_string(++seed)}); };
  for (int i = 0; i < kAtATime; ++i) children.push_back(spawn_one());
  for (int death = 0; death < kDeaths; ++death) {
    WaitUntil(NowNs() + random() % (10 * kMs));
    pid_t& victim = children[random() % children.size()];
    ASSERT_NO_FATAL_FAILURE(Kill(victim));
    victim = spawn_one();
    if (death % 20 == 0) {
      EXPECT_EQ(FindInconsistency(temp.directory()), "");
      EXPECT_LE(world->Processes().size(), static_cast<size_t>(kAtATime));
    }
  }
  for (const pid_t child : children) Kill(child);
  ExpectNothingIsLeft(*world);
  EXPECT_EQ(FindInconsistency(temp.directory()), "");
  ExpectEnginesAreFree(*world);
}

TEST(Crash, AKillOfAllAtOnceLosesNothing) {
  const TempWorld temp;
  const auto world = temp.Open();
  for (unsigned round = 0; round < 10; ++round) {
    std::vector<pid_t> children;
    for (unsigned i = 0; i < kAtATime; ++i) {
      children.push_back(Spawn({temp.directory(), "storm", std::to_string(round * 100 + i)}));
    }
    WaitUntil(NowNs() + 60 * kMs);
    for (const pid_t child : children) kill(child, SIGKILL);
    for (const pid_t child : children) Kill(child);
    ExpectNothingIsLeft(*world);
    EXPECT_EQ(FindInconsistency(temp.directory()), "");
  }
  ExpectEnginesAreFree(*world);
}

TEST(Crash, MemoryIsBackByTheTimeTheParentKnowsOfTheDeath) {
  const TempWorld temp;
  const auto world = temp.Open();
  for (unsigned round = 0; round < 30; ++round) {
    const pid_t child = Spawn({temp.directory(), "storm", std::to_string(round)});
    while (world->memory().Use(0).used == 0) WaitUntil(NowNs() + kMs);
    Kill(child);
    EXPECT_EQ(world->memory().Use(0).used, 0u);
  }
}

TEST(Crash, ACreatorKilledHalfwayLeavesNoBrokenWorld) {
  for (unsigned round = 0; round < 60; ++round) {
    const TempWorld temp;
    const pid_t child = Spawn({temp.directory(), "storm", "1"});
    WaitUntil(NowNs() + round * 100'000);
    Kill(child);
    const auto world = temp.Open({});
    ASSERT_NE(world, nullptr);
    EXPECT_EQ(world->card_count(), 2);
    EXPECT_EQ(world->memory().Use(0).used, 0u);
    EXPECT_TRUE(world->memory().Allocate(1, 3 * kMiB));
  }
}

// A child in a pid namespace of its own, as in a container; its pid as seen from here. -1: not
// allowed.
pid_t SpawnInNamespace(const std::string& directory) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return -1;
  const pid_t helper = fork();
  if (helper == 0) {
    pid_t inside = unshare(CLONE_NEWPID) == 0 ? fork() : -1;
    if (inside == 0) {
      const std::string program = StormProgram();
      execl(program.c_str(), program.c_str(), directory.c_str(), "storm", "5", nullptr);
    }
    _exit(write(pipe_ends[1], &inside, sizeof(inside)) == sizeof(inside) ? 0 : 1);
  }
  pid_t inside = -1;
  EXPECT_EQ(read(pipe_ends[0], &inside, sizeof(inside)), static_cast<ssize_t>(sizeof(inside)));
  waitpid(helper, nullptr, 0);
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  return inside;
}

TEST(Crash, AProcessInAnotherPidNamespaceIsNoticedToo) {
  const TempWorld temp;
  const auto world = temp.Open();
  const pid_t inside = SpawnInNamespace(temp.directory());
  if (inside < 0) GTEST_SKIP() << "no right to make a pid namespace";
  while (world->memory().Use(0).used == 0) WaitUntil(NowNs() + kMs);
  const std::vector<ProcessUse> processes = world->Processes();
  ASSERT_EQ(processes.size(), 1u);
  EXPECT_EQ(processes[0].pid, 1);
  kill(inside, SIGKILL);
  const uint64_t give_up_ns = NowNs() + 20'000 * kMs;
  // A process is known to be dead a little before the kernel closes its descriptors, and what it
  // had exported lives as long as these. Nobody here can wait for that: it is not our child.
  while (HasAnything(*world) && NowNs() < give_up_ns) WaitUntil(NowNs() + kMs);
  ExpectNothingIsLeft(*world);
}

TEST(Crash, AProcessThatBecomesAnotherProgramGivesBackItsMemory) {
  const TempWorld temp;
  const auto world = temp.Open();
  const pid_t child = Spawn({temp.directory(), "exec"});
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, WUNTRACED), child);
  ASSERT_TRUE(WIFSTOPPED(status));
  EXPECT_EQ(world->memory().Use(0).used, 100 * kMiB);
  kill(child, SIGCONT);
  const uint64_t give_up_ns = NowNs() + 20'000 * kMs;
  while (world->memory().Use(0).used != 0 && NowNs() < give_up_ns) WaitUntil(NowNs() + kMs);
  EXPECT_EQ(world->memory().Use(0).used, 0u);
  Kill(child);  // it is still there
}

}  // namespace
}  // namespace simgpu::world

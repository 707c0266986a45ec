// Attaching: who makes a world, who takes it as it is, and what happens with files that are not a
// good one.
#include "simgpu/world/world.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>
#include <vector>

#include "simgpu/world/layout/shared_state.h"
#include "simgpu/world/testing/temp_world.h"

namespace simgpu::world {
namespace {

// Overwrites part of the world file, as another version or a broken disk would.
void Patch(const std::string& directory, off_t offset, uint64_t value) {
  const int fd = open((directory + "/world").c_str(), O_RDWR);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(pwrite(fd, &value, sizeof(value), offset), static_cast<ssize_t>(sizeof(value)));
  close(fd);
}

TEST(World, IsMadeByTheFirstAndSharedByTheRest) {
  const TempWorld temp;
  const auto first = temp.Open({.cards = "3", .memory = "2GiB"});
  const auto second = temp.Open({.cards = "1"});  // somebody is there: taken as it is
  EXPECT_EQ(second->card_count(), 3);
  EXPECT_EQ(second->card(2).memory_bytes, 2 * kGiB);
  EXPECT_EQ(second->card(2).uuid, first->card(2).uuid);
  EXPECT_EQ(second->id(), first->id());
  ASSERT_TRUE(first->memory().Charge(1, MemoryKind::kContext, kMiB));
  EXPECT_EQ(second->memory().Use(1).used, kMiB);
}

TEST(World, StaysWhenAllHaveLeft) {
  const TempWorld temp;
  const uint64_t id = temp.Open({.cards = "3"})->id();
  EXPECT_EQ(temp.Open({})->id(), id);
  EXPECT_EQ(temp.Open({.cards = "3"})->id(), id);
}

TEST(World, IsMadeAnewForOtherCardsWhenNobodyIsThere) {
  const TempWorld temp;
  const uint64_t id = temp.Open({.cards = "3"})->id();
  const auto other = temp.Open({.cards = "1"});
  EXPECT_NE(other->id(), id);
  EXPECT_EQ(other->card_count(), 1);
}

TEST(World, SaysWhatIsWrongWithAScenario) {
  const TempWorld temp;
  EXPECT_EQ(temp.OpenError({.memory = "much"}).substr(0, 20), "SIMGPU_MEMORY=much: ");
  EXPECT_NE(temp.Open({}), nullptr);  // and leaves nothing behind
}

TEST(World, SaysWhyADirectoryCannotBeUsed) {
  std::string error;
  EXPECT_EQ(World::Open({"/nowhere/world", {}}, &error), nullptr);
  EXPECT_EQ(error, "/nowhere/world: No such file or directory");
}

struct Damage {
  const char* name;
  off_t offset;
  uint64_t value;
  const char* reason;
};

const Damage kDamages[] = {
    {"NotAWorld", offsetof(Header, magic), 0, "it is not a world file"},
    {"OlderLayout", offsetof(Header, layout_version), 0, "another version of simgpu"},
    {"OtherStructs", offsetof(Header, struct_sizes), 1, "another version of simgpu"},
    {"OtherSize", offsetof(Header, file_bytes), 4096, "it is cut"},
    {"HugeScenario", offsetof(Header, scenario_bytes), UINT64_MAX, "it is cut"},
    {"BrokenScenario", offsetof(Header, scenario) + 8, 0x4141414141414141, "it is damaged"},
    {"OtherBoot", offsetof(Header, boot_id), 1, "it is damaged"},
};

class DamagedWorld : public ::testing::TestWithParam<Damage> {};

TEST_P(DamagedWorld, IsMadeAnewWhenNobodyIsThere) {
  const TempWorld temp;
  const uint64_t id = temp.Open({.cards = "1"})->id();
  Patch(temp.directory(), GetParam().offset, GetParam().value);
  const auto world = temp.Open({});
  ASSERT_NE(world, nullptr);
  EXPECT_NE(world->id(), id);
  EXPECT_TRUE(world->memory().Allocate(0, 3 * kMiB));
}

TEST_P(DamagedWorld, IsAnErrorWhileAProcessIsAttached) {
  const TempWorld temp;
  const auto attached = temp.Open({.cards = "1"});
  Patch(temp.directory(), GetParam().offset, GetParam().value);
  const std::string error = temp.OpenError();
  EXPECT_NE(error.find(GetParam().reason), std::string::npos) << error;
  EXPECT_NE(error.find("end them, or set SIMGPU_WORLD to another directory"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(World, DamagedWorld, ::testing::ValuesIn(kDamages),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(World, IsMadeAnewWhenItsFilesAreCut) {
  for (const off_t bytes : {off_t{0}, off_t{100}, off_t{sizeof(Header)}, off_t{500'000}}) {
    const TempWorld temp;
    const uint64_t id = temp.Open({.cards = "1"})->id();
    ASSERT_EQ(truncate((temp.directory() + "/world").c_str(), bytes), 0);
    EXPECT_NE(temp.Open({})->id(), id) << bytes;
  }
  const TempWorld temp;
  const uint64_t id = temp.Open({.cards = "1"})->id();
  ASSERT_EQ(truncate((temp.directory() + "/card0.mem").c_str(), 4096), 0);
  EXPECT_NE(temp.Open({})->id(), id);
}

TEST(World, FollowsNoLinkLaidInItsPlace) {
  const TempWorld temp;
  const std::string victim = temp.directory() + "/victim";
  std::ofstream(victim) << "precious";
  ASSERT_EQ(symlink(victim.c_str(), (temp.directory() + "/world").c_str()), 0);
  ASSERT_EQ(symlink(victim.c_str(), (temp.directory() + "/card0.mem").c_str()), 0);
  EXPECT_NE(temp.Open({}), nullptr);
  std::string text;
  std::ifstream(victim) >> text;
  EXPECT_EQ(text, "precious");
}

TEST(World, IsMadeOnceWhenManyComeAtOnce) {
  const TempWorld temp;
  std::vector<std::thread> threads;
  std::vector<uint64_t> ids(16);
  std::vector<std::unique_ptr<World>> worlds(16);
  for (size_t i = 0; i < ids.size(); ++i) {
    threads.emplace_back([&, i] {
      worlds[i] = temp.Open({.cards = "2", .memory = "1GiB"});
      ids[i] = worlds[i]->id();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const uint64_t id : ids) EXPECT_EQ(id, ids[0]);
}

TEST(World, ListsItsParticipants) {
  const TempWorld temp;
  const auto watching = temp.Open();
  const auto working = temp.Open();
  EXPECT_TRUE(watching->Processes().empty());
  ASSERT_TRUE(working->memory().Charge(1, MemoryKind::kModule, 7));
  const std::vector<ProcessUse> processes = watching->Processes();
  ASSERT_EQ(processes.size(), 1u);
  EXPECT_EQ(processes[0].key, working->self());
  EXPECT_EQ(processes[0].pid, getpid());
  EXPECT_GT(processes[0].start_time, 0u);
  EXPECT_NE(processes[0].name.find("simgpu_world_world_test"), std::string::npos);
  EXPECT_EQ(processes[0].cards[1].memory.by_kind[static_cast<int>(MemoryKind::kModule)], 7u);
  EXPECT_NE(DescribeWorld(*watching).find("1 processes"), std::string::npos);
}

TEST(World, HasRoomForManyProcessesAndSaysWhenFull) {
  const TempWorld temp;
  std::vector<std::unique_ptr<World>> worlds;
  for (uint32_t i = 0; i < kMaxProcesses; ++i) {
    worlds.push_back(temp.Open({}));
    ASSERT_TRUE(worlds.back()->Join()) << i << worlds.back()->error();
  }
  const auto one_more = temp.Open({});
  EXPECT_FALSE(one_more->Join());
  EXPECT_EQ(one_more->error(), "512 processes use this world already, and that is all");
  EXPECT_FALSE(one_more->memory().Allocate(0, 1));
  worlds[100].reset();
  EXPECT_TRUE(one_more->Join());
}

TEST(World, KnowsAForkedChild) {
  const TempWorld temp;
  EXPECT_FALSE(World::ForkedChild());
  const auto world = temp.Open();
  ASSERT_TRUE(world->memory().Allocate(0, 5 * kMiB));
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(World::ForkedChild() ? 0 : 1);
    int status = 0;
    waitpid(grandchild, &status, 0);
    _exit(World::ForkedChild() && status == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_FALSE(World::ForkedChild());
  EXPECT_EQ(world->memory().Use(0).used, 5 * kMiB);  // the child's end took nothing
}

}  // namespace
}  // namespace simgpu::world

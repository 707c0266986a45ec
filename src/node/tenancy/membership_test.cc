#include "node/tenancy/membership.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "node/tenancy/fake/tenancy_fixture.h"
#include "node/tenancy/leftovers.h"
#include "node/tenancy/limit_change.h"

namespace warpshare::node {
namespace {

class MembershipTest : public TenancyFixture {
 protected:
  bool Exists(const char* name) {
    return std::filesystem::exists(State().tenants_path() + "/" + name);
  }

  // What lies in the tenants' folder, debris included.
  size_t Entries() {
    const std::filesystem::directory_iterator entries(State().tenants_path());
    return static_cast<size_t>(std::distance(begin(entries), end(entries)));
  }
};

TEST_F(MembershipTest, MakesTheTenantAndTakesItAway) {
  auto member = Enter(Request("train", MemoryAmount::Of(4_GiB)));
  ASSERT_TRUE(member) << member.error().message;
  EXPECT_TRUE(Exists("train"));
  EXPECT_EQ(member->limits().tenant, "train");
  EXPECT_EQ(member->limits().cards.at(0).memory, 4_GiB);
  EXPECT_EQ(platform::ReadLimitsFile(member->tenant().limits_path())->cards,
            member->limits().cards);
  member->Leave(State(), clock_);
  EXPECT_EQ(Entries(), 0u);
}

TEST_F(MembershipTest, GivesEachCardItsShareOrNoLimit) {
  TenantRequest request = Request("both", MemoryAmount::Share(2500));
  request.chosen = machine_;
  request.chosen[1].total = 80_GiB;
  const auto member = Enter(request);
  EXPECT_EQ(member->limits().cards.at(0).memory, 10_GiB);
  EXPECT_EQ(member->limits().cards.at(1).memory, 20_GiB);
  EXPECT_EQ(Enter(Request("free"))->limits().cards.at(0).memory, std::nullopt);
}

TEST_F(MembershipTest, HidesTheTenantsFolderBehindAKey) {
  const auto member = Enter(Request("train"));
  const std::filesystem::path side = member->tenant().tenant_side();
  EXPECT_EQ(side.filename().string().size(), 32u);
  struct stat status = {};
  ASSERT_EQ(stat(member->tenant().path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0066, 0u) << "may be passed, not listed";
  ASSERT_EQ(stat(member->tenant().usage_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0666u);
}

TEST_F(MembershipTest, RefusesMoreThanTheCardHas) {
  const auto member = Enter(Request("big", MemoryAmount::Of(50_GiB)));
  ASSERT_FALSE(member);
  EXPECT_EQ(member.error().message, "card 0 has 40GiB, less than 50GiB: ask for at most that");
  EXPECT_EQ(Entries(), 0u);
}

TEST_F(MembershipTest, IsSharedByRunsOfOneName) {
  auto first = Enter(Request("shared", MemoryAmount::Of(4_GiB)));
  auto second = Enter(Request("shared"));
  ASSERT_TRUE(second) << second.error().message;
  EXPECT_EQ(second->tenant().tenant_side(), first->tenant().tenant_side());
  EXPECT_EQ(second->limits().cards.at(0).memory, 4_GiB);
  first->Leave(State(), clock_);
  EXPECT_TRUE(Exists("shared"));
  second->Leave(State(), clock_);
  EXPECT_FALSE(Exists("shared"));
}

TEST_F(MembershipTest, RefusesToJoinWithOtherWords) {
  const auto first = Enter(Request("shared", MemoryAmount::Of(4_GiB)));
  EXPECT_TRUE(Enter(Request("shared", MemoryAmount::Share(1000)))) << "10% of 40GiB is the same";
  const auto memory = Enter(Request("shared", MemoryAmount::Of(6_GiB)));
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().message,
            "tenant 'shared' already runs with 4GiB, not 6GiB: leave --memory out to join it, or "
            "run: warpshare set shared --memory 6GiB");
  TenantRequest other_card = Request("shared");
  other_card.chosen = {machine_[1]};
  EXPECT_TRUE(Enter(other_card)) << "not stated, so it does not count";
  other_card.cards_stated = true;
  EXPECT_EQ(Enter(other_card).error().code, Errc::kConflict);
  TenantRequest other_driver = Request("shared");
  other_driver.machine.erase(other_driver.machine.begin());
  EXPECT_EQ(Enter(other_driver).error().code, Errc::kConflict);
}

TEST_F(MembershipTest, OutlivesAKilledRunUntilItsProgramEnds) {
  int program_ends[2];
  int started[2];
  ASSERT_EQ(pipe(program_ends), 0);
  ASSERT_EQ(pipe(started), 0);
  const pid_t run = fork();
  if (run == 0) {
    const auto member = Enter(Request("orphaned"));
    if (fork() == 0) {  // the program, which keeps what it inherited
      close(program_ends[1]);
      char byte = 0;
      _exit(read(program_ends[0], &byte, 1) == 0 ? 0 : 1);
    }
    if (write(started[1], "x", 1) != 1) _exit(1);
    while (true) pause();
  }
  char byte = 0;
  ASSERT_EQ(read(started[0], &byte, 1), 1);
  kill(run, SIGKILL);
  waitpid(run, nullptr, 0);
  EXPECT_TRUE(ReapLeftovers(State()).empty());
  EXPECT_TRUE(Exists("orphaned"));

  close(program_ends[1]);
  // The program is nobody's child here; its end shows in its lock.
  while (FindLeftovers(State()).empty()) sched_yield();
  EXPECT_EQ(ReapLeftovers(State()), std::vector<std::string>{"orphaned"});
  EXPECT_EQ(Entries(), 0u);
  close(program_ends[0]);
  close(started[0]);
  close(started[1]);
}

TEST_F(MembershipTest, StartsAnewOverALeftoverOfTheSameName) {
  const pid_t run = fork();
  if (run == 0) _exit(Enter(Request("again", MemoryAmount::Of(1_GiB))) ? 0 : 1);
  waitpid(run, nullptr, 0);
  ASSERT_TRUE(Exists("again"));
  EXPECT_EQ(FindLeftovers(State()), std::vector<std::string>{"again"});
  const auto member = Enter(Request("again", MemoryAmount::Of(2_GiB)));
  ASSERT_TRUE(member) << member.error().message;
  EXPECT_EQ(member->limits().cards.at(0).memory, 2_GiB);
}

TEST_F(MembershipTest, ClearsAwayWhatWasHalfMade) {
  std::filesystem::create_directories(State().tenants_path() + "/.new-1/x");
  std::filesystem::create_directories(State().tenants_path() + "/.old-2");
  std::filesystem::create_directories(State().tenants_path() + "/torn");
  const auto member = Enter(Request("next"));
  ASSERT_TRUE(member);
  EXPECT_EQ(Entries(), 1u);
}

}  // namespace
}  // namespace warpshare::node

#include "ledger/process_identity.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

namespace warpshare::ledger {
namespace {

// Fields 4 to 52 of a real line, with 7 threads and start time 123456.
const std::string kRest =
    " 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 7 0 123456 1000 100 18446744073709551615 1 1 "
    "2147291696 0 0 0 "
    "0 0 0 0 0 0 17 3 0 "
    "0 0 0 0 0 0 0 0 0 0 0 0\n";

bool Parse(const std::string& text, ProcessStat& stat) {
  return ParseProcessStat(text.data(), text.size(), stat);
}

TEST(ProcessStat, ReadsAnOrdinaryLine) {
  ProcessStat stat{};
  ASSERT_TRUE(Parse("42 (python3) S" + kRest, stat));
  EXPECT_EQ(stat.pid, 42u);
  EXPECT_EQ(stat.state, 'S');
  EXPECT_EQ(stat.threads, 7u);
  EXPECT_EQ(stat.start_time, 123456u);
  EXPECT_EQ(stat.exec_mark, 0x7ffd1230u >> 4);
}

TEST(ProcessStat, ReadsACommandThatLooksLikeTheFieldsAfterIt) {
  for (const std::string command : {"a) Z 1 (b", "))", " ", "", "x\ny", "(((", "9 (q) R 1"}) {
    ProcessStat stat{};
    ASSERT_TRUE(Parse("42 (" + command + ") R" + kRest, stat)) << command;
    EXPECT_EQ(stat.state, 'R');
    EXPECT_EQ(stat.start_time, 123456u);
  }
}

TEST(ProcessStat, RefusesWhatIsNoSuchLine) {
  ProcessStat stat{};
  for (const std::string text : {"", "42", "42 ", "42 (a", "42 (a)", "42 (a) ", "42 (a) R",
                                 "42 (a) R 1 2 3", "x (a) R 1", "99999999999 (a) R", "42 (a) 7"}) {
    EXPECT_FALSE(Parse(text, stat)) << text;
  }
  EXPECT_FALSE(Parse("99999999999 (a) R" + kRest, stat));
}

TEST(ProcessStat, RefusesAnEmptyField) {
  ProcessStat stat{};
  EXPECT_FALSE(Parse("42 (a) R " + kRest, stat));
}

TEST(ProcessStat, ReadsThisProcess) {
  std::ifstream file("/proc/self/stat");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  ProcessStat stat{};
  ASSERT_TRUE(Parse(text, stat));
  EXPECT_EQ(stat.pid, static_cast<uint32_t>(getpid()));
  EXPECT_GT(stat.start_time, 0u);
}

TEST(ProcessStat, TakesAProcessWhoseFirstThreadEndedForAlive) {
  EXPECT_FALSE(HasEnded({.pid = 1, .state = 'Z', .threads = 2, .start_time = 1, .exec_mark = 0}));
  EXPECT_TRUE(HasEnded({.pid = 1, .state = 'Z', .threads = 1, .start_time = 1, .exec_mark = 0}));
  EXPECT_TRUE(HasEnded({.pid = 1, .state = 'X', .threads = 0, .start_time = 1, .exec_mark = 0}));
  EXPECT_FALSE(HasEnded({.pid = 1, .state = 'T', .threads = 1, .start_time = 1, .exec_mark = 0}));
}

constexpr ProcessStat kRunning{
    .pid = 7, .state = 'S', .threads = 1, .start_time = 100, .exec_mark = 5};
constexpr Incarnation kOwner{.start_time = 100, .exec_mark = 5};
bool Held() { return true; }
bool NotHeld() { return false; }

TEST(OwnerDeath, IsToldByThePidWhereItCanBeLookedUp) {
  EXPECT_TRUE(IsOwnerDead(Lookup::kNoProcess, {}, kOwner, Held));
  EXPECT_FALSE(IsOwnerDead(Lookup::kThere, kRunning, kOwner, NotHeld))
      << "closed our descriptor, but lives";
  EXPECT_TRUE(IsOwnerDead(Lookup::kThere, kRunning, {.start_time = 99, .exec_mark = 5}, Held))
      << "the pid was used again";
  constexpr ProcessStat kZombie{
      .pid = 7, .state = 'Z', .threads = 1, .start_time = 100, .exec_mark = 5};
  EXPECT_TRUE(IsOwnerDead(Lookup::kThere, kZombie, kOwner, Held)) << "a child keeps its lock";
}

TEST(OwnerDeath, ComesWithAnotherProgramInItsPlace) {
  EXPECT_TRUE(IsOwnerDead(Lookup::kThere, kRunning, {.start_time = 100, .exec_mark = 4}, Held));
  EXPECT_FALSE(IsOwnerDead(Lookup::kThere, kRunning, {.start_time = 100, .exec_mark = 0}, NotHeld));
  constexpr ProcessStat kHidden{
      .pid = 7, .state = 'S', .threads = 1, .start_time = 100, .exec_mark = 0};
  EXPECT_FALSE(IsOwnerDead(Lookup::kThere, kHidden, kOwner, NotHeld));
}

TEST(OwnerDeath, IsToldByTheLockElsewhere) {
  EXPECT_TRUE(IsOwnerDead(Lookup::kCannotTell, {}, kOwner, NotHeld));
  EXPECT_FALSE(IsOwnerDead(Lookup::kCannotTell, {}, kOwner, Held));
}

}  // namespace
}  // namespace warpshare::ledger

#include "interposer/guest/fork_wiped.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "interposer/guest/lock.h"

namespace warpshare::guest {
namespace {

struct State {
  uint64_t number;
  Lock lock;
};
constinit ForkWiped<State> g_state{};
constinit uint64_t g_beside = 0;  // shares no page with it, and is not wiped
constinit bool g_told = false;

bool ChildSays(bool (*check)()) {
  const pid_t child = fork();
  if (child == 0) _exit(check() ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

TEST(ForkWiped, IsZeroInAForkChildAndKeptInTheParent) {
  g_state.Get().number = 7;
  g_beside = 8;
  EXPECT_TRUE(ChildSays([] { return g_state.Get().number == 0 && g_beside == 8; }));
  EXPECT_EQ(g_state.Get().number, 7u);
}

TEST(ForkWiped, IsZeroInAChildOfARawClone) {
  g_state.Get().number = 7;
  const auto child = static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (child == 0) _exit(g_state.Get().number == 0 ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(ForkWiped, IsZeroInAGrandchildThatItsParentNeverTouched) {
  g_state.Get().number = 7;
  EXPECT_TRUE(ChildSays([] { return ChildSays([] { return g_state.Get().number == 0; }); }));
}

TEST(ForkWiped, ALockHeldAtTheForkIsFreeInTheChild) {
  const LockGuard guard(g_state.Get().lock);
  EXPECT_TRUE(ChildSays([] {
    g_state.Get().lock.Acquire();
    return true;
  }));
}

TEST(ForkWiped, MappedMemoryIsWipedIfAskedFor) {
  static uint64_t* wiped = static_cast<uint64_t*>(MapZeroed(10'000, true));
  static uint64_t* kept = static_cast<uint64_t*>(MapZeroed(10'000, false));
  wiped[1000] = kept[1000] = 7;
  EXPECT_TRUE(ChildSays([] { return wiped[1000] == 0 && kept[1000] == 7; }));
}

TEST(ForkWiped, AHandlerRunsInTheChildOnly) {
  RunInForkChild([] { g_told = true; });
  EXPECT_TRUE(ChildSays([] { return g_told; }));
  EXPECT_FALSE(g_told);
}

}  // namespace
}  // namespace warpshare::guest

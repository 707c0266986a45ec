// How signals pass through is tested from outside, on a terminal: tests/cli.
#include "platform/process/foreground.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace warpshare::platform {
namespace {

Result<int> RunShell(const std::string& script, EnvironmentChanges environment = {}) {
  return RunInForeground(
      {.arguments = {"sh", "-c", script}, .environment = std::move(environment)});
}

TEST(RunInForeground, PassesTheExitCodeThrough) {
  EXPECT_EQ(RunShell("exit 0").value(), 0);
  EXPECT_EQ(RunShell("exit 37").value(), 37);
}

TEST(RunInForeground, SaysWhichSignalKilled) {
  EXPECT_EQ(RunShell("kill -KILL $$").value(), 128 + SIGKILL);
  EXPECT_EQ(RunShell("kill -TERM $$").value(), 128 + SIGTERM);
}

TEST(RunInForeground, SetsTheEnvironmentOfTheProgramOnly) {
  EXPECT_EQ(RunShell("test \"$FOREGROUND_TEST\" = yes", {{"FOREGROUND_TEST", "yes"}}).value(), 0);
  EXPECT_EQ(getenv("FOREGROUND_TEST"), nullptr);
}

TEST(RunInForeground, TellsWhatIsNotThereFromWhatDoesNotRun) {
  EXPECT_EQ(
      RunInForeground({.arguments = {"no-such-program-here"}, .environment = {}}).error().code,
      Errc::kNotFound);
  EXPECT_EQ(RunInForeground({.arguments = {"/etc/passwd"}, .environment = {}}).error().code,
            Errc::kNotRunnable);
}

// A line of /proc/self/status, which a program that sees the same has word for word.
std::string StatusLine(const std::string& field) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line))
    if (line.starts_with(field)) return line;
  return "no such line";
}

TEST(RunInForeground, GivesTheProgramTheSignalMaskAndActionsItWouldHaveHad) {
  signal(SIGCHLD, SIG_IGN);
  signal(SIGUSR1, SIG_IGN);
  for (const char* field : {"SigBlk:", "SigIgn:"}) {
    const ForegroundCommand grep{
        .arguments = {"grep", "-qxF", StatusLine(field), "/proc/self/status"}, .environment = {}};
    EXPECT_EQ(RunInForeground(grep).value(), 0) << field;
  }
  signal(SIGCHLD, SIG_DFL);
  signal(SIGUSR1, SIG_DFL);
}

TEST(RunInForeground, LeavesItsOwnFilesOutOfTheProgram) {
  const std::filesystem::directory_iterator open_files("/proc/self/fd");
  // Without the one that reads the folder; the shell has one for that too.
  const auto count = std::distance(begin(open_files), end(open_files));
  EXPECT_EQ(RunShell("test $(ls /proc/self/fd | wc -l) -le " + std::to_string(count)).value(), 0);
}

}  // namespace
}  // namespace warpshare::platform

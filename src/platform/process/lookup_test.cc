#include "platform/process/lookup.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpshare::platform {
namespace {

using enum ProcessLookup::Answer;

TEST(LookUpProcess, FindsThisProcess) {
  const auto self = LookUpProcess(static_cast<uint32_t>(getpid()));
  EXPECT_EQ(self.answer, kThere);
  EXPECT_TRUE(self.stat.starts_with(std::to_string(getpid()) + " ("));
}

TEST(LookUpProcess, KnowsThatAProcessIsGone) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(LookUpProcess(static_cast<uint32_t>(child)).answer, kNoProcess);
}

TEST(LookUpProcess, AsksNoGroupOfProcesses) {
  for (const uint32_t pid : {0u, 0xffffffffu, 0x80000000u})
    EXPECT_EQ(LookUpProcess(pid).answer, kNoProcess);
}

TEST(OwnPidNamespace, IsTheSameInAChild) {
  const uint64_t own = OwnPidNamespace();
  EXPECT_NE(own, 0u);
  const pid_t child = fork();
  if (child == 0) _exit(OwnPidNamespace() == own ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace warpshare::platform

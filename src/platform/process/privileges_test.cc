#include "platform/process/privileges.h"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {
namespace {

bool Become(int policy, int priority) {
  const sched_param parameter = {.sched_priority = priority};
  return sched_setscheduler(0, policy, &parameter) == 0;
}

uint64_t EffectiveCapabilities() {
  const std::string status = ReadWholeFile("/proc/self/status", 1 << 16).value();
  const size_t at = status.find("CapEff:");
  return std::stoull(status.substr(at + sizeof("CapEff:")), nullptr, 16);
}

// What is wrong, as an exit code.
int GiveUpAndLook() {
  const bool could = Become(SCHED_RR, 1);
  if (could) Become(SCHED_OTHER, 0);
  if (!GiveUpPrivileges()) return 1;
  if ((EffectiveCapabilities() & ~(uint64_t{1} << CAP_SYS_NICE)) != 0) return 2;
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return 3;
  return could && !Become(SCHED_RR, 1) ? 4 : 0;
}

// In a child: there is no way back.
TEST(Privileges, NothingIsLeftButALittlePriority) {
  const pid_t child = fork();
  if (child == 0) _exit(GiveUpAndLook());
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace warpshare::platform

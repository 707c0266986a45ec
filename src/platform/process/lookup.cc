#include "platform/process/lookup.h"

#include <signal.h>
#include <sys/stat.h>

#include <cerrno>

#include "platform/descriptor/descriptor.h"

namespace warpshare::platform {

ProcessLookup LookUpProcess(uint32_t pid) {
  using enum ProcessLookup::Answer;
  // 0 and what is negative as a pid_t would mean groups of processes.
  if (pid == 0 || pid > INT32_MAX) return {.answer = kNoProcess, .stat = {}};
  auto stat = ReadWholeFile("/proc/" + std::to_string(pid) + "/stat", 4096);
  if (stat) return {.answer = kThere, .stat = std::move(*stat)};
  const bool gone = kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
  return {.answer = gone ? kNoProcess : kCannotTell, .stat = {}};
}

uint64_t OwnPidNamespace() {
  struct stat status = {};
  return stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

}  // namespace warpshare::platform

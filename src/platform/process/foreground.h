// Runs a program as if it stood where we stand, the way env(1) and nice(1) seem to, but stays
// behind to clean up after it.
//
// The program is in our process group, so what the terminal sends (^C, ^\, ^Z, a new size) reaches
// it without our help; it is passed on only if the program left the group. What another process
// sends to us is passed on always. When the program stops as a job, we stop with it, so that a
// shell above sees it; when we are continued, so is it.
#pragma once

#include <string>
#include <vector>

#include "platform/process/environment.h"
#include "result/result.h"

namespace warpshare::platform {

struct ForegroundCommand {
  std::vector<std::string> arguments;  // the first one is looked up in PATH
  EnvironmentChanges environment;      // to our own
};

// Returns when the program has ended: its exit code, or 128 and the signal that killed it.
// kNotFound or kNotRunnable: it was never started. From a program of one thread only.
Result<int> RunInForeground(const ForegroundCommand& command);

}  // namespace warpshare::platform

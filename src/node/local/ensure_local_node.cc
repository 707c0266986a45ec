#include "node/local/ensure_local_node.h"

#include <unistd.h>

#include <chrono>

#include "node/local/node_lock.h"
#include "platform/process/detached.h"

namespace warpshare::node {

namespace {

using platform::Readiness;

constexpr std::chrono::milliseconds kPatience{2'000};

// One that ended at once found another node, which may itself have ended since then.
constexpr int kTries = 3;

}  // namespace

Result<void> EnsureLocalNode(const StateDir& state, const std::string& program_folder) {
  const std::string program = program_folder + "/warpshare-node";
  const std::string log = state.path() + "/node.log";
  for (int tries = 0; tries < kTries; ++tries) {
    if (IsNodeRunning(state)) return {};
    if (access(program.c_str(), X_OK) != 0)
      return Fail(Errc::kNotFound, "cannot run " + program + ": install warpshare again");
    const auto node = platform::StartDetached(
        {.arguments = {program, "--local", "--state-dir", state.path(), "--ready-fd",
                       std::to_string(platform::kReadyDescriptor), "--log", log},
         .output_path = log},
        kPatience);
    if (!node) return Fail(node.error());
    if (*node == Readiness::kReady) return {};
    if (*node == Readiness::kNotYet)
      return Fail(Errc::kUnavailable, "warpshare-node is not ready yet: see " + log);
  }
  if (IsNodeRunning(state)) return {};
  return Fail(Errc::kUnavailable, "warpshare-node ended at once: see " + log);
}

}  // namespace warpshare::node

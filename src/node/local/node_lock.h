// One node for each state folder: it holds a lock on `<state>/node.lock` while it serves. The
// kernel drops the lock when the node ends, whatever ended it.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "node/tenancy/state_dir.h"
#include "platform/descriptor/descriptor.h"
#include "result/result.h"

namespace warpshare::node {

class NodeLock {
 public:
  // None: another node has it.
  static Result<std::optional<NodeLock>> Take(const StateDir& state);

  // Somebody else may take it from now on. False from Retake: somebody did.
  Result<void> Release();
  Result<bool> Retake();

  // False once the folder was removed, or another one is in its place: whoever comes now finds no
  // lock and starts another node.
  bool IsInPlace() const;

 private:
  NodeLock(std::string path, platform::Descriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  platform::Descriptor file_;
};

bool IsNodeRunning(const StateDir& state);

// None where no node runs, or it counts its pids in another namespace.
std::optional<pid_t> RunningNode(const StateDir& state);

}  // namespace warpshare::node

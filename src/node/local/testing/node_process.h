// warpshare-node as a process of the test's own.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "node/tenancy/state_dir.h"
#include "platform/descriptor/descriptor.h"

namespace warpshare::node {

// The folder that has warpshare-node.
std::string ProgramFolder();

class NodeProcess {
 public:
  // It logs to <state>/node.log.
  explicit NodeProcess(const StateDir& state, const std::string& linger_seconds = "1000");
  ~NodeProcess();  // kills it
  NodeProcess(const NodeProcess&) = delete;
  NodeProcess& operator=(const NodeProcess&) = delete;

  bool AwaitReady();  // false: it ended
  void Signal(int signal) const;
  int AwaitEnd();  // its exit code, or 128 and the signal

 private:
  pid_t pid_ = -1;
  platform::Descriptor ready_;
};

// Blocks until no node serves the folder, which may have been removed: of nodes that are not ours.
void AwaitNoNode(const platform::Descriptor& lock_file);

std::string NodeLog(const StateDir& state);

// How often a text occurs in it.
size_t CountInLog(const StateDir& state, const std::string& text);

}  // namespace warpshare::node

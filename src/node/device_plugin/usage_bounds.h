// Keeps the files that containers write from growing: a container may extend its usage file, which
// lies in the host's memory. To be called every second or so, from one thread.
#pragma once

#include <set>
#include <string>

#include "node/tenancy/state_dir.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

class UsageBounds {
 public:
  UsageBounds(StateDir state, platform::Log& log) : state_(std::move(state)), log_(log) {}

  void Look();

 private:
  const StateDir state_;
  platform::Log& log_;
  std::set<std::string> told_;  // folders; said once, however often it does it
};

}  // namespace warpshare::node

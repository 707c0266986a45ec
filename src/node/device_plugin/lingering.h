// Processes of pods that the cluster has no more: such as were deleted by force, or whose end was
// somebody else's word than the kubelet's. What they hold is announced (node/cluster_link), so that
// the scheduler gives it to nobody until they are gone. Usually there are none.
//
// Threads: Look from one, Text from any.
#pragma once

#include <mutex>
#include <string>

#include "node/device_plugin/assignment_source.h"
#include "node/tenancy/state_dir.h"

namespace warpshare::node {

class Lingering {
 public:
  Lingering(StateDir state, std::string node_name)
      : state_(std::move(state)), node_name_(std::move(node_name)) {}

  // Reads a few files for each container; changes nothing. To be called every second.
  void Look(AssignmentSource& source);

  // As an assignment (policy/request/assignment.h) with pods' uids for the containers' names.
  // Empty: nobody knows yet.
  std::string Text() const;

 private:
  const StateDir state_;
  const std::string node_name_;
  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace warpshare::node

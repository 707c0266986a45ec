// Whether pods can start here: the kubelet knows the plugin, and the cluster has told which pods
// there are. Set by the plugin, asked from any thread.
#pragma once

#include <atomic>
#include <string>

#include "node/device_plugin/assignment_source.h"

namespace warpshare::node {

class Readiness {
 public:
  void SetRegistered(bool is_registered) { is_registered_ = is_registered; }

  // What is missing, for people; empty: nothing. Does not wait.
  std::string Missing(AssignmentSource& source) const {
    if (!is_registered_) return "not registered with the kubelet";
    if (source.changes() == 0) return "the pods of this node are not known yet";
    return {};
  }

 private:
  std::atomic<bool> is_registered_ = false;
};

}  // namespace warpshare::node

// Whether pods can start here: the kubelet knows the plugin, and the cluster has told which pods
// there are. And how often a container that was to start might, since this process began. Set by
// the plugin, asked from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "node/device_plugin/assignment_source.h"

namespace warpshare::node {

struct StartCounts {
  uint64_t started = 0;
  uint64_t refused = 0;
};

class Readiness {
 public:
  void SetRegistered(bool is_registered) { is_registered_ = is_registered; }

  // What is missing, for people; empty: nothing. Does not wait.
  std::string Missing(AssignmentSource& source) const {
    if (!is_registered_) return "not registered with the kubelet";
    if (source.changes() == 0) return "the pods of this node are not known yet";
    return {};
  }

  void CountStart(bool may_start) { ++(may_start ? started_ : refused_); }
  StartCounts starts() const { return {.started = started_, .refused = refused_}; }

 private:
  std::atomic<bool> is_registered_ = false;
  std::atomic<uint64_t> started_ = 0;
  std::atomic<uint64_t> refused_ = 0;
};

}  // namespace warpshare::node

// The pods that are bound to this node and have not ended, kept by whoever watches them and asked
// for by the device plugin.
//
// Threads: Set, Remove and Synced come from one thread; the port's calls from any other, and they
// may wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "node/device_plugin/assignment_source.h"

namespace warpshare::node {

class NodePods final : public AssignmentSource {
 public:
  // `patience`: how long a pod is waited for that is not there, or for the first list.
  explicit NodePods(std::chrono::milliseconds patience) : patience_(patience) {}

  // `pod`: or why its request makes no sense, which is then the answer of who asks for it.
  // `uid` as its object has it; the pod's own may be another (assignment_source.h).
  void Set(const std::string& name_space, const std::string& name, const std::string& uid,
           Result<PodOnNode> pod);
  void Remove(const std::string& name_space, const std::string& name);
  void Synced();  // all that are there have been told

  Result<PodOnNode> FindByUid(const std::string& pod_uid) override;
  Result<PodOnNode> FindByName(const std::string& name_space, const std::string& name) override;
  // Pods whose request makes no sense are left out, and those that claim another's uid.
  Result<std::vector<PodOnNode>> Pods() override;
  uint64_t changes() override;

 private:
  struct Entry {
    std::string uid;
    Result<PodOnNode> pod;
  };
  using Key = std::pair<std::string, std::string>;  // namespace, name

  // Anybody who may make pods can say of one that it is a mirror, and of which uid.
  bool ClaimsAnothers(const Entry& entry) const;
  // Waits until `find` gives an entry.
  Result<PodOnNode> WaitFor(const std::function<const Entry*()>& find);

  const std::chrono::milliseconds patience_;
  std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  std::map<Key, Entry> pods_;
  bool is_synced_ = false;
  uint64_t changes_ = 1;
};

}  // namespace warpshare::node

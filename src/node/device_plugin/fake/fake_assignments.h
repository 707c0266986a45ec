// Pods of a node as a test wants them.
#pragma once

#include <algorithm>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "node/device_plugin/assignment_source.h"

namespace warpshare::node {

class FakeAssignments final : public AssignmentSource {
 public:
  void Add(PodOnNode pod) {
    const std::scoped_lock held(mutex_);
    pods_.push_back(std::move(pod));
    ++changes_;
  }
  void Remove(const std::string& uid) {
    const std::scoped_lock held(mutex_);
    std::erase_if(pods_, [&](const PodOnNode& pod) { return pod.request.pod_uid == uid; });
  }
  void Edit(const std::string& uid, const std::string& assignment) {
    const std::scoped_lock held(mutex_);
    for (PodOnNode& pod : pods_)
      if (pod.request.pod_uid == uid) pod.untrusted_assignment = assignment;
    ++changes_;
  }
  // What the user asks for by now.
  void Wish(const std::string& uid, std::vector<request::ContainerRequest> containers) {
    const std::scoped_lock held(mutex_);
    for (PodOnNode& pod : pods_)
      if (pod.request.pod_uid == uid) pod.request.containers = containers;
    ++changes_;
  }
  std::string Assignment(const std::string& uid) {
    const std::scoped_lock held(mutex_);
    for (const PodOnNode& pod : pods_)
      if (pod.request.pod_uid == uid) return pod.untrusted_assignment;
    return "";
  }
  // What happens while somebody waits for a pod; from the asking thread, and set before.
  void OnFind(std::function<void()> happens) { on_find_ = std::move(happens); }
  void StopAnswering() {
    const std::scoped_lock held(mutex_);
    answers_ = false;
  }

  Result<PodOnNode> FindByUid(const std::string& uid) override {
    return Find([&](const request::Request& pod) { return pod.pod_uid == uid; });
  }
  Result<PodOnNode> FindByName(const std::string& name_space, const std::string& name) override {
    return Find([&](const request::Request& pod) {
      return pod.namespace_name == name_space && pod.pod_name == name;
    });
  }
  Result<std::vector<PodOnNode>> Pods() override {
    const std::scoped_lock held(mutex_);
    if (!answers_) return Fail(Errc::kUnavailable, "the cluster does not answer");
    return pods_;
  }
  uint64_t changes() override {
    const std::scoped_lock held(mutex_);
    return answers_ ? changes_ : 0;
  }

 private:
  Result<PodOnNode> Find(auto is_it) {
    const auto found = FindNow(is_it);
    if (on_find_) on_find_();
    return found;
  }
  Result<PodOnNode> FindNow(auto is_it) {
    const std::scoped_lock held(mutex_);
    if (!answers_) return Fail(Errc::kUnavailable, "the cluster does not answer");
    for (const PodOnNode& pod : pods_)
      if (is_it(pod.request)) return pod;
    return Fail(Errc::kNotFound, "no such pod on this node");
  }

  std::mutex mutex_;
  std::vector<PodOnNode> pods_;
  bool answers_ = true;
  uint64_t changes_ = 1;
  std::function<void()> on_find_;
};

}  // namespace warpshare::node

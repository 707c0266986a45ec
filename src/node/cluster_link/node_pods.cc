#include "node/cluster_link/node_pods.h"

#include <algorithm>

namespace warpshare::node {

namespace {

Failure NotHeardYet() {
  return Fail(Errc::kUnavailable,
              "the API server has not told which pods this node has: see whether it can be reached "
              "and whether the node's account may watch pods");
}

}  // namespace

void NodePods::Set(const std::string& name_space, const std::string& name, const std::string& uid,
                   Result<PodOnNode> pod) {
  {
    const std::lock_guard lock(mutex_);
    pods_.insert_or_assign(Key(name_space, name), Entry{uid, std::move(pod)});
    ++changes_;
  }
  changed_.notify_all();
}

void NodePods::Remove(const std::string& name_space, const std::string& name) {
  const std::lock_guard lock(mutex_);
  pods_.erase(Key(name_space, name));
  ++changes_;
}

uint64_t NodePods::changes() {
  const std::lock_guard lock(mutex_);
  return is_synced_ ? changes_ : 0;
}

void NodePods::Synced() {
  {
    const std::lock_guard lock(mutex_);
    is_synced_ = true;
  }
  changed_.notify_all();
}

bool NodePods::ClaimsAnothers(const Entry& entry) const {
  if (!entry.pod || entry.pod->request.pod_uid == entry.uid) return false;
  return std::ranges::any_of(
      pods_, [&](const auto& item) { return item.second.uid == entry.pod->request.pod_uid; });
}

Result<PodOnNode> NodePods::WaitFor(const std::function<const Entry*()>& find) {
  std::unique_lock lock(mutex_);
  const Entry* entry = nullptr;
  changed_.wait_for(lock, patience_, [&] { return (entry = find()) != nullptr; });
  if (entry != nullptr) return entry->pod;
  if (!is_synced_) return NotHeardYet();
  return Fail(Errc::kNotFound, "the cluster has no such pod on this node");
}

Result<PodOnNode> NodePods::FindByUid(const std::string& pod_uid) {
  return WaitFor([&]() -> const Entry* {
    const auto at = std::ranges::find_if(pods_, [&](const auto& item) {
      const Entry& entry = item.second;
      if (!entry.pod) return entry.uid == pod_uid;
      return entry.pod->request.pod_uid == pod_uid && !ClaimsAnothers(entry);
    });
    return at != pods_.end() ? &at->second : nullptr;
  });
}

Result<PodOnNode> NodePods::FindByName(const std::string& name_space, const std::string& name) {
  return WaitFor([&]() -> const Entry* {
    const auto at = pods_.find(Key(name_space, name));
    return at != pods_.end() ? &at->second : nullptr;
  });
}

Result<std::vector<PodOnNode>> NodePods::Pods() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience_, [&] { return is_synced_; });
  if (!is_synced_) return NotHeardYet();
  std::vector<PodOnNode> pods;
  for (const auto& [key, entry] : pods_)
    if (entry.pod && !ClaimsAnothers(entry)) pods.push_back(*entry.pod);
  return pods;
}

}  // namespace warpshare::node

#include "cluster/nominator/tries.h"

namespace warpshare::cluster {

namespace {

// After an error kube-scheduler waits 1, 2, 4 s ...: after seven seconds the pod is told that it
// has no room, and may drive others out.
constexpr size_t kMostOfPod = 3;
constexpr size_t kMostInARow = 8;
// Nodes get and lose taints.
constexpr std::chrono::seconds kMemory{60};

}  // namespace

void Tries::Forget(Time now) {
  std::erase_if(pods_, [now](const auto& each) { return each.second.until < now; });
  std::erase_if(kinds_, [now](const auto& each) { return each.second.until < now; });
}

bool Tries::MayTry(const std::string& uid, uint64_t kind, Time now) {
  Forget(now);
  const auto pod = pods_.find(uid);
  if (pod != pods_.end() && pod->second.nodes.size() >= kMostOfPod) return false;
  const auto of_kind = kinds_.find(kind);
  return of_kind == kinds_.end() || of_kind->second.in_a_row < kMostInARow;
}

void Tries::NoteNamed(const std::string& uid, uint64_t kind, place::NodeId node, Time now) {
  OfPod& pod = pods_[uid];
  // Whoever comes for another was refused the one before.
  if (!pod.nodes.empty()) ++kinds_[kind].in_a_row;
  if (const auto of_kind = kinds_.find(kind); of_kind != kinds_.end())
    of_kind->second.until = now + kMemory;
  pod.nodes.push_back(node);
  pod.until = now + kMemory;
}

void Tries::NoteHeard(const std::string& uid, uint64_t kind) {
  if (pods_.erase(uid) != 0) kinds_.erase(kind);
}

bool Tries::MayLookOn(const std::string& uid, size_t most, Time now) {
  Forget(now);
  OfPod& pod = pods_[uid];
  if (pod.looks >= most) return false;
  ++pod.looks;
  pod.until = now + kMemory;
  return true;
}

std::vector<place::NodeId> Tries::Of(const std::string& uid) const {
  const auto pod = pods_.find(uid);
  return pod == pods_.end() ? std::vector<place::NodeId>() : pod->second.nodes;
}

}  // namespace warpshare::cluster

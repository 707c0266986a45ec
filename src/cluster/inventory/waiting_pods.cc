#include "cluster/inventory/waiting_pods.h"

#include <utility>

namespace warpshare::cluster {

void WaitingPods::Set(const request::PodView& pod, request::Request request) {
  WaitingPod& waiting = by_uid_[pod.uid];
  waiting.request = std::move(request);
  waiting.queue = pod.queue;
  waiting.version = pod.version;
  waiting.created_s = pod.created_s;
  waiting.priority = pod.priority;
  waiting.queue.is_untried && !waiting.was_asked_about ? Enter(pod.uid, waiting) : Leave(pod.uid);
}

void WaitingPods::Erase(const std::string& uid) {
  Leave(uid);
  by_uid_.erase(uid);
}

void WaitingPods::NoteAskedAbout(const std::string& uid) {
  Leave(uid);
  if (const auto found = by_uid_.find(uid); found != by_uid_.end())
    found->second.was_asked_about = true;
}

const WaitingPod* WaitingPods::Find(const std::string& uid) const {
  const auto found = by_uid_.find(uid);
  return found == by_uid_.end() ? nullptr : &found->second;
}

void WaitingPods::Enter(const std::string& uid, const WaitingPod& pod) {
  const auto [place, is_new] = turns_.try_emplace(uid);
  if (!is_new) return;  // it keeps its turn
  place->second = {.scheduler = pod.queue.scheduler,
                   .rank = -int64_t{pod.request.priority},
                   .arrival = ++arrivals_};
  newcomers_.emplace(place->second, uid);
}

void WaitingPods::Leave(const std::string& uid) {
  const auto found = turns_.find(uid);
  if (found == turns_.end()) return;
  newcomers_.erase(found->second);
  turns_.erase(found);
}

}  // namespace warpshare::cluster

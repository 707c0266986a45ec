#include "cluster/inventory/cluster_view.h"

#include <algorithm>
#include <utility>

#include "cluster/inventory/bound_pod.h"
#include "platform/log_file/log_words.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::cluster {

namespace {

std::string KeyOf(const std::string& space, const std::string& name) { return space + '/' + name; }

// Changes a flag, and the number of flags that are set.
void Mark(bool& flag, bool value, size_t& count) {
  if (flag == value) return;
  flag = value;
  value ? ++count : --count;
}

}  // namespace

void ClusterView::SetNode(const NodeView& node) {
  KnownNode& known = nodes_[node.name];
  // Most updates of a node are heartbeats.
  if (known.view == node) return;
  const bool was_bad = known.is_bad && known.view.untrusted_cards == node.untrusted_cards;
  known.view = node;
  auto spec = SpecOf(node);
  if (!spec && !was_bad)
    log_.Line(platform::LogText("bad-node", {{"node", node.name}, {"error", spec.error()}}));
  Mark(known.is_bad, !spec, bad_nodes_);
  if (spec) known.cards = std::move(spec->cards);
  ledger_.SetNode({.name = node.name,
                   .cpu_milli = node.cpu_milli,
                   .memory = node.memory,
                   .cards = known.cards});
}

void ClusterView::RemoveNode(const std::string& name) {
  const auto known = nodes_.find(name);
  if (known == nodes_.end()) return;
  Mark(known->second.is_bad, false, bad_nodes_);
  nodes_.erase(known);
  ledger_.RemoveNode(name);
}

void ClusterView::SetPod(const request::PodView& pod, bool has_ended) {
  if (pod.uid.empty()) return;
  const auto [place, is_new] = pods_.try_emplace(KeyOf(pod.namespace_name, pod.name));
  KnownPod& known = place->second;
  const bool is_another = known.uid != pod.uid;
  if (is_another && !is_new) Forget(known.uid);
  known.uid = pod.uid;
  if (has_ended) return Forget(pod.uid);
  auto request = request::ParseWarpshareNames(pod);
  if (!request) {
    waiting_.erase(pod.uid);
    if (!pod.node_name.empty()) Confirm(pod.uid);
    return Judge(known, pod, Fail(request.error()));
  }
  if (is_another) demand_.Observe(*request);
  if (!pod.node_name.empty()) return Judge(known, pod, SetBound(pod, *request));
  SetWaiting(pod.uid, std::move(*request));
  Judge(known, pod, {});
}

void ClusterView::RemovePod(const std::string& space, const std::string& name) {
  const auto known = pods_.find(KeyOf(space, name));
  if (known == pods_.end()) return;
  Forget(known->second.uid);
  Mark(known->second.is_bad, false, bad_pods_);
  pods_.erase(known);
}

void ClusterView::Adopt(const request::PodView& pod, const place::PodHold& hold) {
  ledger_.Adopt(pod.uid, hold);
  if (books_ == nullptr) return;
  books_->Count({.space = pod.namespace_name, .uid = pod.uid, .hold = hold, .ledger = ledger_});
}

void ClusterView::Release(const std::string& uid) {
  ledger_.Release(uid);
  if (books_ != nullptr) books_->Release(uid);
}

void ClusterView::Forget(const std::string& uid) {
  waiting_.erase(uid);
  reserved_.erase(uid);
  const place::PodHold* hold = ledger_.FindHold(uid);
  hold != nullptr && !hold->cards.empty() ? Lose(uid) : Release(uid);
}

void ClusterView::SetWaiting(const std::string& uid, request::Request request) {
  if (request::WantsCards(request)) waiting_.insert_or_assign(uid, std::move(request));
}

Result<void> ClusterView::SetBound(const request::PodView& pod, const request::Request& request) {
  waiting_.erase(pod.uid);
  reserved_.erase(pod.uid);
  const auto hold = HoldOfBound(pod, request);
  const place::PodHold* before = ledger_.FindHold(pod.uid);
  if (hold) {
    if (before == nullptr || *before != *hold) Adopt(pod, *hold);
    ledger_.Commit(pod.uid);
    return {};
  }
  // The best that is known of its cards is what it was given here, if it was.
  if (before != nullptr && before->node == pod.node_name)
    ledger_.Commit(pod.uid);
  else
    Adopt(pod, {.node = pod.node_name, .host = request.host});
  return Fail(hold.error());
}

void ClusterView::Judge(KnownPod& known, const request::PodView& pod, const Result<void>& outcome) {
  if (!outcome && !known.is_bad)
    log_.Line(platform::LogText("bad-pod", {{"pod", KeyOf(pod.namespace_name, pod.name)},
                                            {"uid", pod.uid},
                                            {"error", outcome.error()}}));
  Mark(known.is_bad, !outcome, bad_pods_);
}

const place::Outlook& ClusterView::outlook() {
  if (place::IsStale(outlook_, demand_)) outlook_ = place::Foresee(demand_, ledger_);
  return outlook_;
}

const request::Request* ClusterView::FindWaiting(const std::string& uid) const {
  const auto found = waiting_.find(uid);
  return found == waiting_.end() ? nullptr : &found->second;
}

Result<void> ClusterView::Reserve(const request::Request& request, const place::PodHold& hold,
                                  uint64_t deadline_ns) {
  const std::string& uid = request.pod_uid;
  if (ledger_.FindHold(uid) != nullptr && !IsReserved(uid))
    return Fail(Errc::kConflict, "the pod has its part of a node already");
  DropReservation(uid);
  if (!ledger_.Reserve(uid, hold, deadline_ns))
    return Fail(Errc::kUnavailable, "no room on " + hold.node + " any more");
  reserved_.insert_or_assign(uid, deadline_ns);
  if (books_ == nullptr) return {};
  auto booked = books_->Reserve(
      {.space = request.namespace_name, .uid = uid, .hold = hold, .ledger = ledger_});
  if (!booked) DropReservation(uid);
  return booked;
}

void ClusterView::Keep(const std::string& uid) {
  // Somebody has to tell when it goes: a pod that no watch has shown may never be missed.
  if (waiting_.contains(uid)) Confirm(uid);
}

void ClusterView::Confirm(const std::string& uid) {
  if (reserved_.erase(uid) != 0) ledger_.Commit(uid);
}

void ClusterView::GiveBack(const std::string& uid) {
  if (reserved_.erase(uid) != 0) Lose(uid);
}

void ClusterView::DropReservation(const std::string& uid) {
  if (reserved_.erase(uid) != 0) Release(uid);
}

void ClusterView::Lose(const std::string& uid) {
  ++lost_.count;
  lost_.node = ledger_.FindHold(uid)->node;
  Release(uid);
}

void ClusterView::Doubt(const std::string& uid, uint64_t deadline_ns) {
  const auto found = reserved_.find(uid);
  if (found != reserved_.end()) found->second = deadline_ns;
}

size_t ClusterView::Expire(uint64_t now_ns) {
  return std::erase_if(reserved_, [&](const auto& reservation) {
    if (reservation.second > now_ns) return false;
    Lose(reservation.first);
    return true;
  });
}

place::Ledger ClusterView::Without(std::span<const std::string> nodes,
                                   const std::unordered_set<std::string>& uids) const {
  place::Ledger ledger;
  for (const std::string& name : nodes) {
    const auto known = nodes_.find(name);
    if (known != nodes_.end()) ledger.SetNode({.name = name, .cards = known->second.cards});
  }
  for (const auto& [key, pod] : pods_) {
    const place::PodHold* hold = ledger_.FindHold(pod.uid);
    if (hold == nullptr || uids.contains(pod.uid) || !ledger.FindNode(hold->node)) continue;
    ledger.Adopt(pod.uid, *hold);
  }
  return ledger;
}

ClusterView::Counts ClusterView::counts() const {
  return {.nodes = nodes_.size(),
          .pods = pods_.size(),
          .waiting = waiting_.size(),
          .reserved = reserved_.size(),
          .bad_nodes = bad_nodes_,
          .bad_pods = bad_pods_};
}

}  // namespace warpshare::cluster

#include "cluster/inventory/cluster_view.h"

#include <algorithm>
#include <utility>

#include "cluster/inventory/bound_pod.h"
#include "platform/log_file/log_words.h"
#include "policy/place/grant.h"
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

bool HasSameCards(const place::PodHold& a, const place::PodHold& b) {
  return std::ranges::equal(a.cards, b.cards, {}, &place::HeldCard::uuid, &place::HeldCard::uuid);
}

}  // namespace

void ClusterView::SetNode(const NodeView& node) {
  KnownNode& known = nodes_[node.name];
  // Most updates of a node are heartbeats.
  if (known.view == node) return;
  const bool has_others = known.view.untrusted_cards != node.untrusted_cards;
  if (has_others) NoteFreed(node.name);
  const bool was_bad = known.is_bad && !has_others;
  known.view = node;
  auto spec = SpecOf(node);
  if (!spec && !was_bad)
    log_.Line(platform::LogText("bad-node", {{"node", node.name}, {"error", spec.error()}}));
  Mark(known.is_bad, !spec, bad_nodes_);
  Mark(known.has_nvidias_plugin, node.has_nvidias_plugin, nvidias_nodes_);
  if (spec) known.cards = std::move(spec->cards);
  ledger_.SetNode({.name = node.name,
                   .cpu_milli = node.cpu_milli,
                   .memory = node.memory,
                   .cards = known.cards});
  if (has_others && books_ != nullptr)
    for (const auto& [uid, hold] : ledger_.PodsOn(node.name))
      books_->CountAgain(*uid, *hold, ledger_);
  SetLingering(node);
  if (taken_.SetNode(node.name, node.untrusted_taken)) NoteFreed(node.name);
}

void ClusterView::SetLingering(const NodeView& node) {
  request::Assignment nobody;
  auto said = node.untrusted_lingering.empty()
                  ? Result<request::Assignment>(nobody)
                  : request::DecodeAssignment(node.untrusted_lingering);
  if (!said) return;  // what it said before stands
  std::vector<std::string> heard;
  if (departed_.SetLingering(node.name, *said, heard)) NoteFreed(node.name);
  for (const std::string& uid : heard) Release(uid);
}

void ClusterView::RemoveNode(const std::string& name) {
  const auto known = nodes_.find(name);
  if (known == nodes_.end()) return;
  Mark(known->second.is_bad, false, bad_nodes_);
  Mark(known->second.has_nvidias_plugin, false, nvidias_nodes_);
  nodes_.erase(known);
  departed_.RemoveNode(name);
  taken_.RemoveNode(name);
  ledger_.RemoveNode(name);
}

void ClusterView::SetPod(const request::PodView& pod, bool has_ended) {
  if (pod.uid.empty()) return;
  if (request::IsForNvidiasPlugin(pod)) return SetPod(request::WithoutNvidiasCards(pod), has_ended);
  const auto [place, is_new] = pods_.try_emplace(KeyOf(pod.namespace_name, pod.name));
  KnownPod& known = place->second;
  const bool is_another = known.uid != pod.uid;
  if (is_another && !is_new) Depart(known);
  known.uid = pod.uid;
  known.is_running = pod.is_running;
  if (pod.is_leaving) leaving_.insert(pod.uid);
  departed_.Recall(pod.uid);
  if (has_ended) return Depart(known);
  if (!pod.node_name.empty()) return Judge(known, pod, SetPlaced(pod, is_another));
  auto request = request::ParseWarpshareNames(pod);
  if (!request) {
    waiting_.Erase(pod.uid);
    return Judge(known, pod, Fail(request.error()));
  }
  if (is_another) demand_.Observe(*request);
  SetWaiting(pod, std::move(*request));
  Judge(known, pod, {});
}

Result<void> ClusterView::SetPlaced(const request::PodView& pod, bool is_new) {
  auto standing = request::ParseOfPlacedPod(pod);
  if (!standing) {
    waiting_.Erase(pod.uid);
    Confirm(pod.uid);
    return Forward(standing);
  }
  if (is_new) demand_.Observe(standing->request);
  auto bound = SetBound(pod, *standing);
  if (bound && standing->bad_wish) return Fail(*standing->bad_wish);
  return bound;
}

void ClusterView::RemovePod(const std::string& space, const std::string& name) {
  const auto known = pods_.find(KeyOf(space, name));
  if (known == pods_.end()) return;
  Depart(known->second);
  Mark(known->second.is_bad, false, bad_pods_);
  pods_.erase(known);
}

void ClusterView::Adopt(const request::PodView& pod, const place::PodHold& hold) {
  AdoptAs(pod.namespace_name, pod.uid, hold);
}

void ClusterView::AdoptAs(const std::string& space, const std::string& uid,
                          const place::PodHold& hold) {
  ledger_.Adopt(uid, hold);
  if (books_ != nullptr)
    books_->Count({.space = space, .uid = uid, .hold = hold, .ledger = ledger_});
}

Result<void> ClusterView::Book(const std::string& space, const std::string& uid,
                               const place::PodHold& hold) {
  if (books_ == nullptr) return {};
  return books_->Reserve({.space = space, .uid = uid, .hold = hold, .ledger = ledger_});
}

void ClusterView::Release(const std::string& uid) {
  ledger_.Release(uid);
  if (books_ != nullptr) books_->Release(uid);
}

void ClusterView::Forget(const std::string& uid) {
  waiting_.Erase(uid);
  reserved_.erase(uid);
  resizes_.Forget(uid);
  const place::PodHold* hold = ledger_.FindHold(uid);
  hold != nullptr && !hold->cards.empty() ? Lose(uid) : Release(uid);
}

bool ClusterView::SpeaksOfTheGone(const std::string& node) const {
  const auto known = nodes_.find(node);
  return known != nodes_.end() && !known->second.view.untrusted_lingering.empty();
}

void ClusterView::Depart(const KnownPod& known) {
  leaving_.erase(known.uid);
  const place::PodHold* hold = ledger_.FindHold(known.uid);
  const bool is_held = hold != nullptr && !hold->cards.empty();
  if (!known.is_running || !is_held || !SpeaksOfTheGone(hold->node)) return Forget(known.uid);
  if (departed_.IsLingering(hold->node, known.uid)) return Forget(known.uid);
  waiting_.Erase(known.uid);
  reserved_.erase(known.uid);
  resizes_.Forget(known.uid);
  departed_.Await(known.uid);
}

void ClusterView::SetWaiting(const request::PodView& pod, request::Request request) {
  if (request::WantsCards(request)) waiting_.Set(pod, std::move(request));
}

// What it shows counts, unless it shows still what it had and more is on its way.
void ClusterView::Follow(const request::PodView& pod, const BoundPod& bound) {
  const place::PodHold* before = ledger_.FindHold(pod.uid);
  if (before != nullptr && resizes_.IsOnItsWay(pod.uid, bound.hold)) return;
  if (before == nullptr || *before != bound.hold) {
    if (before != nullptr) NoteFreed(pod.node_name);
    Adopt(pod, bound.hold);
  }
  ledger_.Commit(pod.uid);
}

Result<void> ClusterView::SetBound(const request::PodView& pod,
                                   const request::StandingRequest& standing) {
  const request::Request& request = standing.request;
  waiting_.Erase(pod.uid);
  const place::PodHold* before = ledger_.FindHold(pod.uid);
  // Amounts may change while a pod runs, its cards may not.
  const bool is_settled = reserved_.erase(pod.uid) == 0 && before != nullptr &&
                          before->node == pod.node_name && !before->cards.empty();
  auto bound = ReadBoundPod(pod, request);
  if (bound && is_settled && !HasSameCards(*before, bound->hold))
    bound = Fail(Errc::kConflict,
                 "assignment: names other cards than the pod was given: it was "
                 "edited; delete the pod, so that it is placed again");
  if (bound) {
    if (request::WantsCards(request)) resizes_.Note(pod, standing, *bound, ledger_);
    Follow(pod, *bound);
    return {};
  }
  // The best that is known of its cards is what it was given here, if it was.
  if (before != nullptr && before->node == pod.node_name)
    ledger_.Commit(pod.uid);
  else
    Adopt(pod, {.node = pod.node_name, .host = request.host});
  return Fail(bound.error());
}

Result<void> ClusterView::BeginResize(const std::string& uid) {
  const Resize* resize = resizes_.Find(uid);
  const place::PodHold* has = ledger_.FindHold(uid);
  if (resize == nullptr || has == nullptr) return Fail(Errc::kNotFound, "the pod is gone");
  if (resize->bad_wish) return Fail(*resize->bad_wish);
  const place::PodHold before = *has;
  const place::PodHold both = place::EnoughForBoth(before, resize->to);
  if (both != before) {
    std::string missing = place::WhatIsMissing(ledger_, before, both);
    if (!ledger_.Reserve(uid, both, UINT64_MAX))
      return Fail(Errc::kUnavailable, std::move(missing));
    ledger_.Commit(uid);
    auto booked = Book(resize->space, uid, both);
    if (!booked) {
      AdoptAs(resize->space, uid, before);
      return booked;
    }
  }
  resizes_.SetOnItsWay(uid, true);
  return {};
}

void ClusterView::TakeBackResize(const std::string& uid) {
  const Resize* resize = resizes_.Find(uid);
  if (resize == nullptr || !resize->is_on_its_way) return;
  AdoptAs(resize->space, uid, resize->from);
  NoteFreed(resize->from.node);
  resizes_.SetOnItsWay(uid, false);
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
  const WaitingPod* found = waiting_.Find(uid);
  return found == nullptr ? nullptr : &found->request;
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
  auto booked = Book(request.namespace_name, uid, hold);
  if (!booked) DropReservation(uid);
  return booked;
}

void ClusterView::Keep(const std::string& uid) {
  // Somebody has to tell when it goes: a pod that no watch has shown may never be missed.
  if (waiting_.Find(uid) != nullptr) Confirm(uid);
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
  NoteFreed(ledger_.FindHold(uid)->node);
  Release(uid);
}

void ClusterView::NoteFreed(const std::string& node) {
  ++freed_.count;
  freed_.node = node;
}

void ClusterView::Doubt(const std::string& uid, uint64_t deadline_ns) {
  const auto found = reserved_.find(uid);
  if (found != reserved_.end()) found->second = deadline_ns;
}

size_t ClusterView::Expire(uint64_t now_ns) {
  for (const std::string& uid : departed_.TakeExpired(now_ns)) Lose(uid);
  return std::erase_if(reserved_, [&](const auto& reservation) {
    if (reservation.second > now_ns) return false;
    Lose(reservation.first);
    return true;
  });
}

place::Ledger ClusterView::Without(const std::string& node,
                                   const std::unordered_set<std::string>& uids) const {
  place::Ledger ledger;
  const auto known = nodes_.find(node);
  if (known == nodes_.end()) return ledger;
  ledger.SetNode({.name = node, .cards = known->second.cards});
  for (const auto& [uid, hold] : ledger_.PodsOn(node))
    if (!uids.contains(*uid)) ledger.Adopt(*uid, *hold);
  return ledger;
}

std::vector<std::string> ClusterView::LeavingFrom(const std::string& node) const {
  std::vector<std::string> uids;
  for (const auto& [uid, hold] : ledger_.PodsOn(node))
    if (leaving_.contains(*uid) || departed_.IsAwaited(*uid)) uids.push_back(*uid);
  return uids;
}

std::optional<Error> ClusterView::ObjectionTo(const request::Request& request,
                                              const place::PodHold& hold,
                                              const place::Ledger& ledger,
                                              const std::unordered_set<std::string>& gone) const {
  if (!HasBooksFor(request.namespace_name)) return std::nullopt;
  return books_->Check(
      {.space = request.namespace_name, .uid = request.pod_uid, .hold = hold, .ledger = ledger},
      gone);
}

ClusterView::Counts ClusterView::counts() const {
  return {.nodes = nodes_.size(),
          .pods = pods_.size(),
          .waiting = waiting_.by_uid().size(),
          .reserved = reserved_.size(),
          .bad_nodes = bad_nodes_,
          .bad_pods = bad_pods_};
}

}  // namespace warpshare::cluster

#include "cluster/nominator/nominator.h"

#include <algorithm>
#include <vector>

#include "cluster/extender/node_lookup.h"
#include "platform/json/writer.h"
#include "platform/log_file/log_words.h"
#include "policy/place/grant.h"

namespace warpshare::cluster {

namespace {

using place::NodeId;

// Who waits further behind has time. At 500 pods a second it is an eighth of one until the last of
// these is asked about, and what is planned for longer meets another cluster than it was made for.
constexpr size_t kAhead = 64;
// Calls at a time. All at once they would be answered together and late, the first ones too late.
constexpr size_t kAtATime = 8;
// Looks at the whole cluster between two events of the loop: a fraction of a millisecond each.
constexpr size_t kAtOnce = 4;
// kube-scheduler is expected to ask within this time; then others may have the cards.
constexpr std::chrono::seconds kHold{10};
// A watch is behind for milliseconds; a pod that it does not show in seconds is made up.
constexpr size_t kMostTooEarly = 3;
// After the API server has said that we may not.
constexpr std::chrono::seconds kForbiddenPause{60};

uint64_t Nanoseconds(platform::Clock::Time time) {
  return static_cast<uint64_t>(std::chrono::nanoseconds(time.time_since_epoch()).count());
}

// With a version: if the pod was bound or changed since, nothing is written.
std::string PatchOf(const WaitingPod& pod, const std::string& node, const std::string& version) {
  json::Writer patch;
  patch.BeginObject().Key("metadata").BeginObject().Member("uid", pod.request.pod_uid);
  if (!version.empty()) patch.Member("resourceVersion", version);
  patch.EndObject().Key("status").BeginObject().Member("nominatedNodeName", node).EndObject();
  return patch.EndObject().Take();
}

}  // namespace

void Nominator::NoteAsked(const std::string& uid, std::span<const NodeId> nodes) {
  const WaitingPod* pod = ports_.view.waiting().Find(uid);
  if (pod == nullptr) return;
  scheduler_ = pod->queue.scheduler;
  const auto plan = plans_.extract(uid);
  const bool is_alone = nodes.size() == 1 && nodes.front() != kUnknownNode;
  const bool was_heard = is_alone && !plan.empty() &&
                         plan.mapped().hold.node == ports_.view.ledger().node_name(nodes.front());
  // One node alone that was named to kube-scheduler, by us or by itself, says nothing of others.
  const bool is_hint = was_heard || (is_alone && !pod->queue.nominated_node.empty());
  if (was_heard) {
    ++counts_.used;
    tries_.NoteHeard(uid, pod->queue.kind);
  }
  if (!is_hint) {
    alike_.Learn(pod->queue.kind, nodes, ports_.clock.Now());
    is_worth_planning_ = nodes.size() >= limits_.worth_planning;
  }
  ports_.view.NoteAskedAbout(uid);
  ++asked_;
  Wake();
}

void Nominator::Wake() {
  soon_.Set({}, [this] { PlanAhead(); });
}

void Nominator::PlanAhead() {
  DropOldPlans();
  if (!is_worth_planning_ || ports_.clock.Now() < paused_until_) return;
  const WaitingPods& waiting = ports_.view.waiting();
  size_t turn = 0;
  size_t chosen = 0;
  for (auto place = waiting.newcomers().lower_bound({.scheduler = scheduler_});
       place != waiting.newcomers().end() && place->first.scheduler == scheduler_ && turn < kAhead;
       ++place, ++turn) {
    if (turn < too_late_ || IsPlanned(place->second)) continue;
    if (calls_.size() >= kAtATime) return;  // its answer brings us back
    if (chosen == kAtOnce) return Wake();
    if (Choose(*waiting.Find(place->second))) ++chosen;
  }
}

// Of pods that nobody will ask about for the first time any more: they are gone, or kube-scheduler
// found no node without asking us.
void Nominator::DropOldPlans() {
  std::erase_if(plans_, [this](const auto& each) {
    const WaitingPods& waiting = ports_.view.waiting();
    if (each.second.is_elsewhere ? waiting.Find(each.first) != nullptr
                                 : waiting.IsNewcomer(each.first))
      return false;
    ports_.view.GiveBack(each.first);
    return true;
  });
}

// False: it is not known where it could go, which costs nothing.
bool Nominator::Choose(const WaitingPod& pod) {
  const Alike::Nodes* nodes = alike_.NodesFor(pod.queue.kind, ports_.clock.Now());
  if (nodes == nullptr || !pod.queue.nominated_node.empty()) return false;
  Plan& plan = plans_[pod.request.pod_uid];
  // Of the pod as it was read: one that was bound or changed since is left as it is.
  if (Hold(pod, *nodes, plan)) Tell(pod, plan.hold.node, pod.version);
  return true;
}

// On the best of these nodes. False: no room.
bool Nominator::Hold(const WaitingPod& pod, std::span<const NodeId> nodes, Plan& plan) {
  const place::Ledger& ledger = ports_.view.ledger();
  const place::Shape shape = place::MakeShape(pod.request, ledger);
  std::vector<place::Verdict> verdicts;
  place::Standings& standings = ports_.view.standings();
  standings.Filter(shape, nodes, place::HostCheck::kLook, verdicts);
  std::vector<NodeId> fitting;
  for (size_t i = 0; i < nodes.size(); ++i)
    if (verdicts[i].reason == place::Reason::kNone) fitting.push_back(nodes[i]);
  const auto best = standings.FindBest(ports_.view.outlook(), shape, fitting);
  if (!best) return false;
  place::PodHold hold = place::HoldOf(pod.request, ledger, best->node, best->placement);
  const uint64_t until_ns = Nanoseconds(ports_.clock.Now() + kHold);
  if (!ports_.view.Reserve(pod.request, hold, until_ns)) return false;
  plan = {.request = pod.request, .hold = std::move(hold), .until_ns = until_ns};
  return true;
}

std::vector<NodeId> Nominator::Others(const WaitingPod& pod, std::span<const NodeId> nodes) const {
  std::vector<bool> is_out(ports_.view.ledger().node_ids());
  for (const NodeId node : nodes)
    if (node != kUnknownNode) is_out[node] = true;
  for (const NodeId node : tries_.Of(pod.request.pod_uid))
    if (node < is_out.size()) is_out[node] = true;
  std::vector<NodeId> others;
  for (NodeId node = 0; node < is_out.size(); ++node)
    if (!is_out[node]) others.push_back(node);
  return others;
}

bool Nominator::NameElsewhere(const std::string& uid, std::span<const NodeId> nodes) {
  const auto now = ports_.clock.Now();
  const WaitingPod* pod = ports_.view.waiting().Find(uid);
  if (pod == nullptr || nodes.size() < limits_.least_part || now < paused_until_) return false;
  if (tries_.MayTry(uid, pod->queue.kind, now) && NameOther(*pod, nodes)) return true;
  const size_t all = ports_.view.counts().nodes;
  if (pod->priority > 0 && nodes.size() < all && tries_.MayLookOn(uid, all / nodes.size() + 1, now))
    ++unseen_;
  return false;
}

bool Nominator::IsTooEarly(const std::string& uid, size_t nodes) {
  const bool is_part = nodes >= limits_.least_part && nodes < ports_.view.counts().nodes;
  return is_part && ports_.view.waiting().Find(uid) == nullptr &&
         tries_.MayLookOn(uid, kMostTooEarly, ports_.clock.Now());
}

bool Nominator::NameOther(const WaitingPod& pod, std::span<const NodeId> nodes) {
  const std::string& uid = pod.request.pod_uid;
  Plan plan;
  if (!Hold(pod, Others(pod, nodes), plan)) return false;
  tries_.NoteNamed(uid, pod.queue.kind, *ports_.view.ledger().FindNode(plan.hold.node),
                   ports_.clock.Now());
  plan.is_elsewhere = true;
  // kube-scheduler is about to write a condition into the pod, so its version says nothing.
  Tell(pod, plan.hold.node, "");
  plans_[uid] = std::move(plan);
  return true;
}

void Nominator::Tell(const WaitingPod& pod, const std::string& node, const std::string& version) {
  ++counts_.made;
  const std::string& uid = pod.request.pod_uid;
  calls_[uid] = ports_.client.Patch(
      {.resource = kube::kPods,
       .name = {.space = pod.request.namespace_name, .name = pod.request.pod_name},
       .subresource = "status"},
      PatchOf(pod, node, version),
      [this, uid, asked = asked_](const Result<json::Document>& answer) {
        const http::Call ended = std::move(calls_.extract(uid).mapped());
        // Half as much again, for kube-scheduler's watch.
        too_late_ = std::min<uint64_t>(1 + (asked_ - asked) * 3 / 2, kAhead - kAtATime);
        Settle(uid, answer);
        Wake();
      });
}

void Nominator::Settle(const std::string& uid, const Result<json::Document>& answer) {
  if (answer) return;
  // If kube-scheduler has asked by now, what the pod has is no plan any more.
  if (const auto plan = plans_.find(uid); plan != plans_.end()) {
    ports_.view.GiveBack(uid);
    plan->second = {};
  }
  if (answer.error().code != Errc::kPermission) return;
  paused_until_ = ports_.clock.Now() + kForbiddenPause;
  ports_.log.Line(platform::LogText("may-not-nominate", {{"error", answer.error()}}));
}

bool Nominator::HoldsAnything() const {
  for (const auto& [uid, plan] : plans_)
    if (!plan.hold.node.empty()) return true;
  return false;
}

void Nominator::LookPast(const std::function<void()>& look) {
  DropOldPlans();
  std::vector<const Plan*> held;
  for (const auto& [uid, plan] : plans_)
    if (!plan.hold.node.empty() && ports_.view.IsReserved(uid)) held.push_back(&plan);
  for (const Plan* plan : held) ports_.view.DropReservation(plan->request.pod_uid);
  look();
  // Where there is no room for it any more it stays a hint.
  for (const Plan* plan : held)
    (void)ports_.view.Reserve(plan->request, plan->hold, plan->until_ns);
}

}  // namespace warpshare::cluster

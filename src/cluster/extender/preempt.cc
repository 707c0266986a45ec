#include "cluster/extender/preempt.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "pods/pod_json.h"
#include "policy/place/grant.h"
#include "policy/place/placement.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::cluster {

namespace {

using request::Request;
using Uids = std::unordered_set<std::string>;

// One node without some of its pods.
class Eviction {
 public:
  Eviction(const ClusterView& view, const Request& request, const Victims& named)
      : view_(view),
        request_(request),
        victims_(named),
        gone_(named.uids.begin(), named.uids.end()) {
    gone_.insert(request.pod_uid);
    ledger_ = view.Without(named.node, gone_);
    node_ = ledger_.FindNode(named.node);
  }

  // Is there room on single cards, with these victims alone?
  bool IsEnoughAsNamed() { return node_ && Fits(); }
  // Are these victims, and those that it adds to them, enough?
  bool IsEnough() {
    if (!node_) return false;
    if (!Fits() && !AddVictims()) return false;
    const place::PodHold hold = place::HoldOf(request_, ledger_, *node_, placement_);
    return !view_.ObjectionTo(request_, hold, ledger_, gone_);
  }
  const Victims& victims() const { return victims_; }

 private:
  struct Candidate {
    std::string uid;
    place::PodHold hold;
    uint32_t room = 0;  // percent that is free of the card of its own that has most
  };

  bool Fits() {
    const place::Shape shape = place::MakeShape(request_, ledger_);
    return place::Placer(ledger_, view_.former_outlook(), shape).Place(*node_, placement_);
  }

  uint32_t RoomBeside(const place::PodHold& hold) const {
    uint32_t room = 0;
    for (const place::HeldCard& held : hold.cards)
      if (const auto card = ledger_.FindCard(held.uuid))
        room = std::max(room, place::FreeLevel(ledger_.card(*card)));
    return room;
  }

  // Pods that have cards and less priority. Those of most priority come back first, and of these
  // the ones whose cards have least room: the pod goes where few have to leave.
  std::vector<Candidate> Candidates() const {
    std::vector<Candidate> candidates;
    for (const auto& [uid, hold] : ledger_.PodsOn(victims_.node))
      if (hold->priority < request_.priority && !hold->cards.empty() && view_.CanLeave(*uid))
        candidates.push_back({.uid = *uid, .hold = *hold, .room = RoomBeside(*hold)});
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
      return std::tie(b.hold.priority, a.room, a.uid) < std::tie(a.hold.priority, b.room, b.uid);
    });
    return candidates;
  }

  // All of them go, and come back one by one while the pod still fits.
  bool AddVictims() {
    const std::vector<Candidate> candidates = Candidates();
    for (const Candidate& candidate : candidates) ledger_.Release(candidate.uid);
    if (!Fits()) return false;
    for (const Candidate& candidate : candidates) {
      ledger_.Adopt(candidate.uid, candidate.hold);
      if (Fits()) continue;
      ledger_.Release(candidate.uid);
      victims_.uids.push_back(candidate.uid);
      // Which pods a PodDisruptionBudget protects is not known here, and kube-scheduler, which does
      // know, takes our word for the number. So each may be one, and a node whose own victims are
      // enough goes before one that needs more.
      ++victims_.disruption_violations;
      gone_.insert(candidate.uid);
    }
    return Fits();
  }

  const ClusterView& view_;
  const Request& request_;
  Victims victims_;
  Uids gone_;
  place::Ledger ledger_;
  std::optional<place::NodeId> node_;
  place::Placement placement_;
};

// Will the pod have room on that node once those have left who are about to?
bool IsMadeRoomFor(const ClusterView& view, const Request& request, const std::string& node) {
  const Victims leaving{.node = node, .uids = view.LeavingFrom(node)};
  return !leaving.uids.empty() && Eviction(view, request, leaving).IsEnoughAsNamed();
}

}  // namespace

std::string AnswerPreempt(const ClusterView& view, const PreemptArgs& asked,
                          const std::string& cleared) {
  const auto request = request::ParseWarpshareNames(pods::PodViewOf(asked.pod));
  if (!request) return PreemptText({});
  if (!request::WantsCards(*request)) return PreemptText(asked.nodes);
  if (!cleared.empty() && IsMadeRoomFor(view, *request, cleared)) return PreemptText({});
  std::vector<Victims> enough;
  for (const Victims& named : asked.nodes) {
    Eviction eviction(view, *request, named);
    if (eviction.IsEnough()) enough.push_back(eviction.victims());
  }
  return PreemptText(enough);
}

}  // namespace warpshare::cluster

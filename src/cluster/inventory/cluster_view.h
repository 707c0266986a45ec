// The cluster as the API server shows it: who holds what on one ledger, who waits, and what is on
// its way. Nothing here outlives the process: a new one is told the same objects and comes to the
// same ledger.
//
// Threads: none of its own, and no locks. All calls are made on the event loop of its owner, whose
// informers fill it and whose HTTP handlers read it. No clock: times are the caller's, in
// nanoseconds of one steady clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cluster/inventory/departed.h"
#include "cluster/inventory/hold_books.h"
#include "cluster/inventory/node_view.h"
#include "cluster/inventory/resize_list.h"
#include "cluster/inventory/taken.h"
#include "cluster/inventory/waiting_pods.h"
#include "platform/log_file/log_file.h"
#include "policy/place/outlook.h"
#include "policy/place/standings.h"
#include "policy/request/pod_view.h"

namespace warpshare::cluster {

class ClusterView {
 public:
  // The log gets one line for each thing that is wrong with an object.
  // `books` is none where nothing but room counts. Both outlive this.
  explicit ClusterView(platform::Log& log, HoldBooks* books = nullptr) : log_(log), books_(books) {}
  ClusterView(const ClusterView&) = delete;  // the ledger's holds refer to each other

  // What the watches tell. An object that makes no sense changes nothing: a node keeps the cards it
  // had, a pod the hold it had. Pods of NVIDIA's device plugin count as pods without cards.
  void SetNode(const NodeView& untrusted_node);
  void RemoveNode(const std::string& name);
  void SetPod(const request::PodView& untrusted_pod, bool has_ended);
  void RemovePod(const std::string& space, const std::string& name);

  const place::Ledger& ledger() const { return ledger_; }
  // Has any node nvidia.com/gpu, of NVIDIA's own device plugin?
  bool HasNvidiasPlugin() const { return nvidias_nodes_ != 0; }
  // Where pods would do on that ledger, and best.
  place::Standings& standings() { return standings_; }
  // Built anew where too much has happened since: some milliseconds in a large cluster.
  const place::Outlook& outlook();
  // As it was built last.
  const place::Outlook& former_outlook() const { return outlook_; }
  // A pod that asks for cards and is on no node. None: it is not known, or not waiting.
  const request::Request* FindWaiting(const std::string& uid) const;
  const WaitingPods& waiting() const { return waiting_; }
  // kube-scheduler has asked about it: it is no newcomer any more.
  void NoteAskedAbout(const std::string& uid) { waiting_.NoteAskedAbout(uid); }

  // A pod is about to go somewhere. Errors: there is no room, or the books have something against
  // it; it has nothing then. A reservation that it had is replaced. What its watch tells later wins
  // over all of these.
  Result<void> Reserve(const request::Request& request, const place::PodHold& hold,
                       uint64_t deadline_ns);
  // It went there. Held until the pod is gone; of a pod that was not told of yet, until the
  // deadline.
  void Keep(const std::string& uid);
  // It did not. Does nothing to a pod that is on its node.
  void GiveBack(const std::string& uid);
  // The same, for the pod is looked at anew and will have another in its place.
  void DropReservation(const std::string& uid);
  // Nobody knows whether it did: the watch may still tell until then.
  void Doubt(const std::string& uid, uint64_t deadline_ns);
  bool IsReserved(const std::string& uid) const { return reserved_.contains(uid); }
  // Gives back what is past its deadline, also of pods that are gone (departed.h); how many
  // reservations these were.
  size_t Expire(uint64_t now_ns);

  // Pods on nodes that ask for other amounts than they were given.
  const ResizeList::ByUid& resizes() const { return resizes_.by_uid(); }
  // Room for what it has and what it asks for is held from now on, until the watch shows the new
  // assignment. An error says what is in the way; nothing has changed then.
  Result<void> BeginResize(const std::string& uid);
  // It was not written: the pod has what it had.
  void TakeBackResize(const std::string& uid);

  // That node alone, if those pods were not there. For what-if questions.
  place::Ledger Without(const std::string& node, const std::unordered_set<std::string>& uids) const;
  // Is who holds something a pod on its node, which can be made to leave? Not so one that is on its
  // way there, nor what is left of one that is gone, nor another device plugin.
  bool CanLeave(const std::string& uid) const {
    return !reserved_.contains(uid) && !departed_.IsOfTheGone(uid) && !Taken::IsHolder(uid);
  }
  // Who is on that node and about to leave it: deleted, or gone and awaited (departed.h). Not what
  // a node says to be lingering, which may be for good.
  std::vector<std::string> LeavingFrom(const std::string& node) const;
  // May the books have anything against pods of that namespace?
  bool HasBooksFor(const std::string& space) const {
    return books_ != nullptr && books_->Limits(space);
  }
  // What they have against such a hold of that ledger's cards, if those pods had nothing; none:
  // nothing.
  std::optional<Error> ObjectionTo(const request::Request& request, const place::PodHold& hold,
                                   const place::Ledger& ledger,
                                   const std::unordered_set<std::string>& gone) const;

  // How often something came free so far, and where the last time: a reservation came to nothing, a
  // pod ended or has less than before, a node has other cards than before. Pods may have been
  // refused just before, for kube-scheduler hears of the same things, and may ask sooner.
  struct Freed {
    uint64_t count = 0;
    std::string node;
  };
  const Freed& freed() const { return freed_; }

  struct Counts {
    size_t nodes = 0;
    size_t pods = 0;
    size_t waiting = 0;
    size_t reserved = 0;
    size_t bad_nodes = 0;  // whose cards cannot be read
    size_t bad_pods = 0;   // whose request or assignment makes no sense
  };
  Counts counts() const;

 private:
  struct KnownNode {
    NodeView view;
    std::vector<place::CardSpec> cards;  // the last that made sense
    bool is_bad = false;
    bool has_nvidias_plugin = false;
  };
  struct KnownPod {
    std::string uid;
    bool is_bad = false;
    bool is_running = false;  // as it was told last
  };

  void Adopt(const request::PodView& pod, const place::PodHold& hold);
  void AdoptAs(const std::string& space, const std::string& uid, const place::PodHold& hold);
  Result<void> Book(const std::string& space, const std::string& uid, const place::PodHold& hold);
  void Release(const std::string& uid);
  void Forget(const std::string& uid);
  void Depart(const KnownPod& known);
  bool SpeaksOfTheGone(const std::string& node) const;
  void SetLingering(const NodeView& node);
  void Lose(const std::string& uid);
  void NoteFreed(const std::string& node);
  Result<void> SetPlaced(const request::PodView& pod, bool is_new);
  void Confirm(const std::string& uid);
  void SetWaiting(const request::PodView& pod, request::Request request);
  Result<void> SetBound(const request::PodView& pod, const request::StandingRequest& standing);
  void Follow(const request::PodView& pod, const BoundPod& bound);
  void Judge(KnownPod& known, const request::PodView& pod, const Result<void>& outcome);

  platform::Log& log_;
  HoldBooks* const books_;
  place::Ledger ledger_;
  place::Standings standings_{ledger_};
  place::Demand demand_;
  place::Outlook outlook_;
  std::unordered_map<std::string, KnownNode> nodes_;
  std::unordered_map<std::string, KnownPod> pods_;  // by "namespace/name"
  WaitingPods waiting_;
  // Deadlines by uid, for the ledger would have to look at all pods. Few at any time.
  std::unordered_map<std::string, uint64_t> reserved_;
  std::unordered_set<std::string> leaving_;  // uids of pods that were deleted and are not gone yet
  ResizeList resizes_;
  Departed departed_{ledger_};
  Taken taken_{ledger_};
  Freed freed_;
  size_t bad_nodes_ = 0;
  size_t bad_pods_ = 0;
  size_t nvidias_nodes_ = 0;
};

}  // namespace warpshare::cluster

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
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cluster/inventory/hold_books.h"
#include "cluster/inventory/node_view.h"
#include "platform/log_file/log_file.h"
#include "policy/place/outlook.h"
#include "policy/request/pod_view.h"

namespace warpshare::cluster {

class ClusterView {
 public:
  // The log gets one line for each thing that is wrong with an object.
  // `books` is none where nothing but room counts. Both outlive this.
  explicit ClusterView(platform::Log& log, HoldBooks* books = nullptr) : log_(log), books_(books) {}
  ClusterView(const ClusterView&) = delete;  // the ledger's holds refer to each other

  // What the watches tell. An object that makes no sense changes nothing: a node keeps the cards it
  // had, a pod the hold it had.
  void SetNode(const NodeView& untrusted_node);
  void RemoveNode(const std::string& name);
  void SetPod(const request::PodView& untrusted_pod, bool has_ended);
  void RemovePod(const std::string& space, const std::string& name);

  const place::Ledger& ledger() const { return ledger_; }
  // Built anew where too much has happened since: some milliseconds in a large cluster.
  const place::Outlook& outlook();
  // A pod that asks for cards and is on no node. None: it is not known, or not waiting.
  const request::Request* FindWaiting(const std::string& uid) const;

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
  // Gives back what is past its deadline; how many these were.
  size_t Expire(uint64_t now_ns);

  // These nodes, if those pods were not there. For what-if questions: made of all pods, slowly.
  place::Ledger Without(std::span<const std::string> nodes,
                        const std::unordered_set<std::string>& uids) const;

  // Reservations that came to nothing so far, pods that are gone, and where the last of them was.
  // Others may have been refused for them; of a pod's end kube-scheduler may have heard before us.
  struct Lost {
    uint64_t count = 0;
    std::string node;
  };
  const Lost& lost() const { return lost_; }

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
  };
  struct KnownPod {
    std::string uid;
    bool is_bad = false;
  };

  void Adopt(const request::PodView& pod, const place::PodHold& hold);
  void Release(const std::string& uid);
  void Forget(const std::string& uid);
  void Lose(const std::string& uid);
  void Confirm(const std::string& uid);
  void SetWaiting(const std::string& uid, request::Request request);
  Result<void> SetBound(const request::PodView& pod, const request::Request& request);
  void Judge(KnownPod& known, const request::PodView& pod, const Result<void>& outcome);

  platform::Log& log_;
  HoldBooks* const books_;
  place::Ledger ledger_;
  place::Demand demand_;
  place::Outlook outlook_;
  std::unordered_map<std::string, KnownNode> nodes_;
  std::unordered_map<std::string, KnownPod> pods_;             // by "namespace/name"
  std::unordered_map<std::string, request::Request> waiting_;  // by uid
  // Deadlines by uid, for the ledger would have to look at all pods. Few at any time.
  std::unordered_map<std::string, uint64_t> reserved_;
  Lost lost_;
  size_t bad_nodes_ = 0;
  size_t bad_pods_ = 0;
};

}  // namespace warpshare::cluster

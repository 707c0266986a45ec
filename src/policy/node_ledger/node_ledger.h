// The node's own word on one more pod: is an assignment within the pod's request, is there room for
// it beside the others, and where does a pod go that no scheduler placed? It counts by the ledger
// and the rules that the scheduler has (policy/place), so the two cannot disagree on what fits.
// Made anew from what is known whenever it is asked; no I/O.
#pragma once

#include <string>
#include <vector>

#include "policy/place/grant.h"
#include "policy/place/ledger.h"
#include "policy/request/assignment.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::node_ledger {

// An assignment must give every container as many cards as it asks for, and nothing that it did not
// ask for: the spec of a pod cannot be changed, its annotations can.
Result<void> CheckWithinRequest(const request::Request& pod, const request::Assignment& assignment,
                                const std::vector<place::CardSpec>& cards);

class NodeLedger {
 public:
  explicit NodeLedger(const place::NodeSpec& node);

  // A pod that is there, by a uid of its own. Cards that the node does not have are left out.
  void Add(const std::string& pod_uid, const request::Request& pod,
           const request::Assignment& assignment);

  // Is there room for one more, whether its cards are healthy or not? kUnavailable: not now.
  Result<void> CheckRoom(const request::Request& pod, const request::Assignment& assignment) const;

  // For a pod that nobody placed: the fullest healthy cards that have room, unless it wants others.
  Result<request::Assignment> Place(const request::Request& pod) const;

 private:
  place::PodHold HoldHere(const request::Request& pod, const request::Assignment& assignment) const;

  const std::string node_;
  place::Ledger ledger_;
};

}  // namespace warpshare::node_ledger

// What the pods of this node were given of its cards, and the node's word on more: an assignment is
// taken from the cluster only if it keeps to what the pod asks for and if the cards have room for
// it beside everybody else. Whatever else is written to a pod changes nothing here, so that no card
// is ever given out twice.
//
// The state's lock is held by the caller of each of these; `tenants` were read under it.
#pragma once

#include <string>
#include <vector>

#include "node/device_plugin/assignment_source.h"
#include "node/device_plugin/card_view.h"
#include "node/device_plugin/holders.h"
#include "node/device_plugin/taken_cards.h"
#include "node/tenancy/container_tenant.h"
#include "policy/node_ledger/node_ledger.h"
#include "policy/request/assignment.h"
#include "result/result.h"

namespace warpshare::node {

struct Given {
  request::Assignment assignment;
  std::string text;
};

class Grants {
 public:
  struct Ports {
    AssignmentSource& source;
    const CardView& cards;
    const TakenCards& taken;
  };
  Grants(std::string node_name, const Ports& ports)
      : node_name_(std::move(node_name)), ports_(ports) {}

  // For a container that is about to start. Of a pod that has started already it is what the pod
  // has, or what it was given since if that can be; never a reason not to start.
  Result<Given> Find(const PodOnNode& pod, const Tenants& tenants) const;

  // What a started pod's annotation says now, on the cards that it has. kUnavailable: there is no
  // room for it now; any other error: it is nothing that the scheduler wrote.
  Result<Given> FindChanged(const PodOnNode& pod, const Tenants& tenants) const;

 private:
  Result<Given> Admit(const PodOnNode& pod, const Tenants& tenants) const;
  Result<void> CheckNotTaken(const request::Assignment& assignment) const;
  Result<Given> PlaceHere(const PodOnNode& pod, const Tenants& tenants) const;
  Result<node_ledger::NodeLedger> LedgerOfOthers(const place::NodeSpec& node,
                                                 const std::string& pod_uid,
                                                 const Tenants& tenants) const;
  place::NodeSpec Node() const;

  const std::string node_name_;
  const Ports ports_;
};

// As it stands on the limits page.
platform::CardLimit LimitOf(const request::CardGrant& grant, Bytes capacity);

}  // namespace warpshare::node

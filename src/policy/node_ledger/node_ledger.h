// What the pods of one node were given of its cards, for the node's own word on one more: is an
// assignment within the pod's request and within the cards, and where does a pod go that no
// scheduler placed? Made anew from what is known whenever it is asked; no I/O.
//
// Containers of a pod are not all there at once: init containers run one after the other beside the
// sidecars before them, and are gone when the ordinary ones run. A pod counts by its peak.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/request/assignment.h"
#include "policy/request/request.h"
#include "result/result.h"

namespace warpshare::node_ledger {

struct Card {
  GpuUuid uuid;
  Bytes total;
  bool is_healthy = true;
};

// What a pod takes of one card at its peak.
struct Part {
  Bytes memory;
  uint32_t cores_percent = 0;
  bool whole = false;
  uint32_t tenants = 0;

  bool operator==(const Part&) const = default;
};
Part PeakOn(const GpuUuid& card, const request::Request& pod,
            const request::Assignment& assignment);

// An assignment must give every container as many cards as it asks for, and nothing that it did not
// ask for: the spec of a pod cannot be changed, its annotations can.
Result<void> CheckWithinRequest(const request::Request& pod, const request::Assignment& assignment,
                                const std::vector<Card>& cards);

class NodeLedger {
 public:
  explicit NodeLedger(const std::vector<Card>& cards);

  // A pod that is there. Cards that the node does not have are left out.
  void Add(const request::Request& pod, const request::Assignment& assignment);

  // Is there room for one more? kUnavailable: not now. kNotFound: there is no such card here.
  Result<void> CheckRoom(const request::Request& pod, const request::Assignment& assignment) const;

  // For a pod that nobody placed: the fullest cards that have room.
  Result<request::Assignment> Place(const request::Request& pod, std::string_view node) const;

 private:
  struct Account {
    Card card;
    Part taken;
  };
  Result<void> CheckRoomOn(const Account& account, const Part& more) const;
  Result<request::ContainerGrant> PlaceContainer(const request::Request& pod,
                                                 const request::ContainerRequest& container,
                                                 const request::Assignment& so_far) const;

  std::vector<Account> accounts_;
};

}  // namespace warpshare::node_ledger

// What kube-scheduler's own rules said lately of pods that are alike: which nodes they may go to.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "platform/clock/clock.h"
#include "policy/place/ledger.h"

namespace warpshare::cluster {

class Alike {
 public:
  using Nodes = std::vector<place::NodeId>;

  // Of pods of that kind (request::QueueView::kind).
  void Learn(uint64_t kind, std::span<const place::NodeId> nodes, platform::Clock::Time now);
  // nullptr: not known, or not lately. Nodes may be gone since.
  const Nodes* NodesFor(uint64_t kind, platform::Clock::Time now) const;

 private:
  struct Seen {
    Nodes nodes;
    platform::Clock::Time at;
  };
  std::unordered_map<uint64_t, Seen> seen_;
};

}  // namespace warpshare::cluster

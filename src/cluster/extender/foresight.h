// Port: who chooses nodes for pods that kube-scheduler has not asked about yet, and holds their
// cards meanwhile. Such a hold is a plan: nobody is refused anything for it.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "policy/place/ledger.h"

namespace warpshare::cluster {

// Since the process began, for metrics.
struct NominationCounts {
  uint64_t made = 0;
  uint64_t used = 0;  // kube-scheduler has asked about that node alone
};

class Foresight {
 public:
  virtual ~Foresight() = default;

  // kube-scheduler has asked about a pod that waits, and finds these nodes fit by its own rules.
  virtual void NoteAsked(const std::string& uid, std::span<const place::NodeId> nodes) = 0;

  // kube-scheduler has stopped before it had seen all nodes, as far as one can tell, and none of
  // these has room for the pod. Names another that has, for kube-scheduler's next look at it.
  // False: there is none, or what was named lately was refused by kube-scheduler's own rules.
  virtual bool NameElsewhere(const std::string& uid, std::span<const place::NodeId> nodes) = 0;

  // The same for a pod that our watch has not shown yet, and so many nodes: it should ask again
  // when it has.
  virtual bool IsTooEarly(const std::string& uid, size_t nodes) = 0;

  virtual bool HoldsAnything() const = 0;
  // Calls it while plans hold nothing. What it took is not theirs any more.
  virtual void LookPast(const std::function<void()>& look) = 0;
};

}  // namespace warpshare::cluster

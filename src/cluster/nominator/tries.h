// Which nodes were named for pods that kube-scheduler had found no room for, and whether it took
// them: it may have rules against a node (taints, affinity) that nobody here knows. So that nobody
// is named nodes forever that it will not have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform/clock/clock.h"
#include "policy/place/ledger.h"

namespace warpshare::cluster {

class Tries {
 public:
  using Time = platform::Clock::Time;

  // For a pod (by uid) of that kind (request::QueueView::kind). Not after some in vain for it, nor
  // after many in a row for pods of its kind, for a while.
  bool MayTry(const std::string& uid, uint64_t kind, Time now);
  // Nothing of that pod is outstanding.
  void NoteNamed(const std::string& uid, uint64_t kind, place::NodeId node, Time now);
  // kube-scheduler has asked about what it was named.
  void NoteHeard(const std::string& uid, uint64_t kind);
  // Nothing was named for it, and not all nodes were seen: may it be made to look on? So many
  // times, which are counted.
  bool MayLookOn(const std::string& uid, size_t most, Time now);
  // Nodes that were named for it lately, and refused.
  std::vector<place::NodeId> Of(const std::string& uid) const;

 private:
  struct OfPod {
    std::vector<place::NodeId> nodes;
    size_t looks = 0;
    Time until{};
  };
  struct OfKind {
    size_t in_a_row = 0;
    Time until{};
  };
  void Forget(Time now);  // what is too long ago

  std::unordered_map<std::string, OfPod> pods_;
  std::unordered_map<uint64_t, OfKind> kinds_;
};

}  // namespace warpshare::cluster

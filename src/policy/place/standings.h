// What nodes said to pods before: verdicts and costs, remembered from one pod to the next. Pods
// that ask for the same come in rows, and few nodes change between two of them. The answers are
// those of place::Filter() and place::FindBest(), to the bit.
//
// Written by its own two calls. A verdict is good until the ledger changes the node
// (Ledger::version), a cost until then or until the outlook is another one; both are looked at when
// they are used, so nobody has to tell. Who may ask for a pod can make up any number of demands, so
// only the latest are kept: more of them cost time, and no memory.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "policy/place/filter.h"
#include "policy/place/rank.h"

namespace warpshare::place {

// Of 10,000 nodes each, 240 KB apiece.
inline constexpr size_t kMostDemands = 64;

class Standings {
 public:
  // Of this ledger, as it changes; another one must not be assigned to it.
  explicit Standings(const Ledger& ledger) : ledger_(ledger) {}

  void Filter(const Shape& shape, std::span<const NodeId> nodes, HostCheck host_check,
              std::vector<Verdict>& verdicts);
  // Of the nodes whose cards will do; the host is the caller's to look at.
  std::optional<BestNode> FindBest(const Outlook& outlook, const Shape& shape,
                                   std::span<const NodeId> nodes);

 private:
  struct Standing {
    uint64_t version = 0;  // of the node, when it was looked at; 0: never
    double cost = 0;
    Verdict verdict = {};  // HostCheck::kSkip
    bool has_cost = false;
  };
  // All nodes to one demand.
  struct Sheet {
    Shape shape = {};
    uint64_t outlook = 0;  // that its costs are of
    uint64_t used = 0;
    std::vector<Standing> by_node = {};
  };

  Sheet& Open(const Shape& shape);
  Sheet& Free();
  void Judge(Sheet& sheet, std::span<const NodeId> nodes);
  void Know(const Outlook& outlook, Sheet& sheet);

  const Ledger& ledger_;
  Outlook outlook_ = {};
  uint64_t outlooks_ = 0;  // so far
  uint64_t uses_ = 0;
  std::vector<Sheet> sheets_;
  std::vector<NodeId> changed_;  // scratch
  std::vector<Verdict> verdicts_;
};

}  // namespace warpshare::place

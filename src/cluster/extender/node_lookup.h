// Names of nodes to the ledger's ids. kube-scheduler sends thousands of names at a time, in much
// the same order each time, so it is remembered which node came after which, and most names are
// compared once instead of being looked up.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "policy/place/ledger.h"

namespace warpshare::cluster {

inline constexpr place::NodeId kUnknownNode = UINT32_MAX;

class NodeLookup {
 public:
  // One id for each name; kUnknownNode where the ledger has none.
  std::vector<place::NodeId> Find(const place::Ledger& ledger,
                                  std::span<const std::string_view> names);

 private:
  // By id: who came after it. Only a guess: ids are given out anew when nodes go.
  std::vector<place::NodeId> next_;
};

}  // namespace warpshare::cluster

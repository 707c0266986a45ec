// Cards that nodes say another device plugin gave to pods (warpshare.io/taken). Nobody can have a
// part of them until the node says otherwise.
//
// Threads: those of the view, whose part this is. It changes the ledger.
#pragma once

#include <string>

#include "policy/place/ledger.h"

namespace warpshare::cluster {

class Taken {
 public:
  explicit Taken(place::Ledger& ledger) : ledger_(ledger) {}

  // What a node says now; true if it names fewer cards than before. What makes no sense changes
  // nothing.
  bool SetNode(const std::string& node, const std::string& untrusted_text);
  void RemoveNode(const std::string& node);
  // Who has them on the ledger.
  static std::string HolderOf(const std::string& node);
  static bool IsHolder(const std::string& holder);

 private:
  place::Ledger& ledger_;
};

}  // namespace warpshare::cluster

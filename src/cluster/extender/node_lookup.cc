#include "cluster/extender/node_lookup.h"

namespace warpshare::cluster {

namespace {

using place::NodeId;

bool IsNode(const place::Ledger& ledger, NodeId id, std::string_view name) {
  return id < ledger.node_ids() && ledger.node(id).present && ledger.node_name(id) == name;
}

}  // namespace

std::vector<NodeId> NodeLookup::Find(const place::Ledger& ledger,
                                     std::span<const std::string_view> names) {
  next_.resize(ledger.node_ids(), kUnknownNode);
  std::vector<NodeId> ids;
  ids.reserve(names.size());
  NodeId before = kUnknownNode;
  for (const std::string_view name : names) {
    const NodeId guess = before == kUnknownNode ? 0 : next_[before];
    const NodeId id =
        IsNode(ledger, guess, name) ? guess : ledger.FindNode(name).value_or(kUnknownNode);
    if (before != kUnknownNode) next_[before] = id;
    ids.push_back(id);
    before = id;
  }
  return ids;
}

}  // namespace warpshare::cluster

#include "policy/place/standings.h"

#include <algorithm>

namespace warpshare::place {

void Standings::Filter(const Shape& shape, std::span<const NodeId> nodes, HostCheck host_check,
                       std::vector<Verdict>& verdicts) {
  Sheet& sheet = Open(shape);
  Judge(sheet, nodes);
  verdicts.clear();
  for (const NodeId id : nodes) {
    const bool is_there = id < sheet.by_node.size();
    Verdict verdict = is_there ? sheet.by_node[id].verdict : Verdict{Reason::kNoNode};
    if (host_check == HostCheck::kLook && verdict.reason != Reason::kNoNode)
      if (const Reason reason = HostReason(shape, ledger_.node(id)); reason != Reason::kNone)
        verdict = {reason};
    verdicts.push_back(verdict);
  }
}

std::optional<BestNode> Standings::FindBest(const Outlook& outlook, const Shape& shape,
                                            std::span<const NodeId> nodes) {
  Sheet& sheet = Open(shape);
  Judge(sheet, nodes);
  Know(outlook, sheet);
  Placer placer(ledger_, outlook_, shape);
  Placement placement;
  const Standing* best = nullptr;
  for (const NodeId id : nodes) {
    if (id >= sheet.by_node.size()) continue;
    Standing& standing = sheet.by_node[id];
    if (standing.verdict.reason != Reason::kNone) continue;
    if (!standing.has_cost) {
      if (!placer.Place(id, placement)) continue;
      standing.cost = placement.cost;
      standing.has_cost = true;
    }
    if (best == nullptr || standing.cost < best->cost) best = &standing;
  }
  if (best == nullptr) return std::nullopt;
  BestNode found{.node = static_cast<NodeId>(best - sheet.by_node.data())};
  placer.Place(found.node, found.placement);
  return found;
}

Standings::Sheet& Standings::Open(const Shape& shape) {
  const auto known = std::ranges::find(sheets_, shape, &Sheet::shape);
  Sheet& sheet = known == sheets_.end() ? Free() : *known;
  if (sheet.by_node.empty()) sheet.shape = shape;
  sheet.used = ++uses_;
  sheet.by_node.resize(ledger_.node_ids());
  return sheet;
}

// One with nothing on it: a new one, or that of the demand which was not asked about for longest.
Standings::Sheet& Standings::Free() {
  if (sheets_.size() < kMostDemands) return sheets_.emplace_back();
  Sheet& oldest = *std::ranges::min_element(sheets_, {}, &Sheet::used);
  oldest.by_node.clear();
  return oldest;
}

void Standings::Judge(Sheet& sheet, std::span<const NodeId> nodes) {
  changed_.clear();
  for (const NodeId id : nodes)
    if (id < sheet.by_node.size() && sheet.by_node[id].version != ledger_.version(id))
      changed_.push_back(id);
  place::Filter(ledger_, sheet.shape, changed_, HostCheck::kSkip, verdicts_);
  for (size_t i = 0; i < changed_.size(); ++i)
    sheet.by_node[changed_[i]] = {.version = ledger_.version(changed_[i]), .verdict = verdicts_[i]};
}

void Standings::Know(const Outlook& outlook, Sheet& sheet) {
  if (outlook != outlook_) {
    outlook_ = outlook;
    ++outlooks_;
  }
  if (sheet.outlook == outlooks_) return;
  for (Standing& standing : sheet.by_node) standing.has_cost = false;
  sheet.outlook = outlooks_;
}

}  // namespace warpshare::place

#include "policy/place/filter.h"

#include <algorithm>

namespace warpshare::place {

namespace {

class NodeFilter {
 public:
  NodeFilter(const Ledger& ledger, const Shape& shape, HostCheck host_check)
      : ledger_(ledger), shape_(shape), host_check_(host_check), placer_(ledger, outlook_, shape) {}

  Verdict Judge(NodeId id) {
    if (id >= ledger_.node_ids() || !ledger_.node(id).present) return {Reason::kNoNode};
    const Node& node = ledger_.node(id);
    if (host_check_ == HostCheck::kLook)
      if (const Reason reason = HostReason(shape_, node); reason != Reason::kNone) return {reason};
    if (shape_.containers.empty()) return {};
    if (node.card_count == 0) return {Reason::kNoCards, true};
    for (const ContainerShape& container : shape_.containers)
      if (!HasEnough(container, node)) return WhyNot(container, node);
    // Each container by itself is not yet all of them together.
    const bool is_all = shape_.containers.size() == 1 && !NeedsOneNumaNode();
    if (is_all || placer_.Place(id, scratch_)) return {};
    return {NeedsOneNumaNode() ? Reason::kNoNumaNode : Reason::kContainers};
  }

 private:
  bool NeedsOneNumaNode() const { return shape_.one_numa_node && shape_.most_cards > 1; }

  bool HasEnough(const ContainerShape& container, const Node& node) const {
    const bool any_card = shape_.any_model && !shape_.names_cards();
    uint32_t found = 0;
    for (CardId id = node.first_card; id < node.first_card + node.card_count; ++id) {
      const Card& card = ledger_.card(id);
      if (!Fits(card, container.need_by_kind[card.kind])) continue;
      if (!any_card && !Allows(shape_, card, ledger_.detail(id))) continue;
      if (++found == container.cards) return true;
    }
    return false;
  }

  Verdict WhyNot(const ContainerShape& container, const Node& node) const {
    uint32_t fitting = 0;
    uint32_t ever = 0;
    Reason last = Reason::kNone;
    for (CardId id = node.first_card; id < node.first_card + node.card_count; ++id) {
      const Reason reason = CardReason(shape_, container, ledger_.card(id), ledger_.detail(id));
      if (reason == Reason::kNone) ++fitting;
      if (reason == Reason::kNone || reason > Reason::kCardTooSmall) ++ever;
      last = std::max(last, reason);
    }
    if (fitting > 0) last = Reason::kTooFewCards;
    return {last, ever < container.cards};
  }

  const Ledger& ledger_;
  const Shape& shape_;
  const HostCheck host_check_;
  const Outlook outlook_ = {};  // whether it fits does not depend on it
  Placer placer_;
  Placement scratch_;
};

}  // namespace

void Filter(const Ledger& ledger, const Shape& shape, std::span<const NodeId> nodes,
            HostCheck host_check, std::vector<Verdict>& verdicts) {
  NodeFilter filter(ledger, shape, host_check);
  verdicts.resize(nodes.size());
  std::transform(nodes.begin(), nodes.end(), verdicts.begin(),
                 [&](NodeId id) { return filter.Judge(id); });
}

Reason HostReason(const Shape& shape, const Node& node) {
  if (!node.has_host) return Reason::kNone;
  if (static_cast<int64_t>(shape.host.cpu_milli) > node.cpu_free_milli) return Reason::kNoHostCpu;
  if (static_cast<int64_t>(shape.host.memory.count()) > node.memory_free)
    return Reason::kNoHostMemory;
  return Reason::kNone;
}

Reason CardReason(const Shape& shape, const ContainerShape& container, const Card& card,
                  const CardDetail& detail) {
  const CardNeed& need = container.need_by_kind[card.kind];
  if (shape.allowed_by_model[card.model] == 0) return Reason::kWrongModel;
  if (!Allows(shape, card, detail)) return Reason::kWrongCard;
  if (need.memory > static_cast<int64_t>(card.memory_total)) return Reason::kCardTooSmall;
  if (!card.healthy) return Reason::kUnhealthy;
  if (card.slots_free <= 0) return Reason::kNoSlots;
  if (need.whole && card.tenants > 0) return Reason::kNotEmpty;
  if (!CoresFit(card, need)) return Reason::kNoCores;
  if (need.memory > card.memory_free) return Reason::kNoMemory;
  return Reason::kNone;
}

}  // namespace warpshare::place

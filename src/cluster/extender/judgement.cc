#include "cluster/extender/judgement.h"

#include <map>
#include <tuple>

#include "policy/place/grant.h"

namespace warpshare::cluster {

namespace {

using place::NodeId;
using place::Reason;
using place::Verdict;

// What the books say of a pod's going to a node. Nodes where it would get the same of the same kind
// of cards get the same answer, and most nodes are alike.
class Objections {
 public:
  Objections(const ClusterView& view, const place::Ledger& ledger, const place::Shape& shape,
             const request::Request& request)
      : view_(view),
        ledger_(ledger),
        request_(request),
        placer_(ledger, view.former_outlook(), shape) {}

  // "": nothing.
  const std::string& Against(NodeId node) {
    static const std::string nothing;
    if (!placer_.Place(node, placement_)) return nothing;
    key_.clear();
    for (const auto& [card, hold] : placement_.holds)
      key_.emplace_back(ledger_.card(card).model, hold.memory, hold.cores, hold.slots);
    const auto [answer, is_new] = answers_.try_emplace(key_);
    if (is_new) answer->second = Ask(node);
    return answer->second;
  }

 private:
  using Part = std::tuple<uint16_t, int64_t, int16_t, int16_t>;  // of a card of that model

  std::string Ask(NodeId node) const {
    const place::PodHold hold = place::HoldOf(request_, ledger_, node, placement_);
    const auto error = view_.ObjectionTo(request_, hold, ledger_, {request_.pod_uid});
    return error ? error->message : "";
  }

  const ClusterView& view_;
  const place::Ledger& ledger_;
  const request::Request& request_;
  place::Placer placer_;
  place::Placement placement_;
  std::vector<Part> key_;
  std::map<std::vector<Part>, std::string> answers_;
};

class Judge {
 public:
  Judge(ClusterView& view, const request::Request& request, Judgement& judgement)
      : view_(view), request_(request), judgement_(judgement) {}

  // The nodes that `ledger` has; the others stay as they are judged.
  void Look(const place::Ledger& ledger, const std::vector<NodeId>& ids, bool known_only) {
    const place::Shape shape = place::MakeShape(request_, ledger);
    std::vector<Verdict> verdicts;
    if (&ledger == &view_.ledger())
      view_.standings().Filter(shape, ids, place::HostCheck::kSkip, verdicts);
    else
      place::Filter(ledger, shape, ids, place::HostCheck::kSkip, verdicts);
    for (size_t i = 0; i < ids.size(); ++i)
      if (!known_only || ids[i] != kUnknownNode) judgement_.verdicts[i] = verdicts[i];
    if (!view_.HasBooksFor(request_.namespace_name)) return;
    Objections objections(view_, ledger, shape, request_);
    for (size_t i = 0; i < ids.size(); ++i)
      if (ids[i] != kUnknownNode && verdicts[i].reason == Reason::kNone)
        Object(i, objections.Against(ids[i]));
  }

 private:
  void Object(size_t place, const std::string& objection) {
    if (objection.empty()) return;
    judgement_.verdicts[place] = {.reason = Reason::kQuota, .never = true};
    judgement_.objections[place] = *judgement_.texts.insert(objection).first;
  }

  ClusterView& view_;
  const request::Request& request_;
  Judgement& judgement_;
};

// Nodes that were sent whole and are not known here exist in somebody's mind only: an autoscaler
// wants to know whether to make them. Each is judged as it was sent, empty.
void JudgeMadeUp(Judge& judge, const NodesArgs& asked, const std::vector<NodeId>& known) {
  place::Ledger ledger;
  for (size_t i = 0; i < known.size(); ++i) {
    if (known[i] != kUnknownNode) continue;
    if (const auto spec = SpecOf(NodeViewOf(asked.nodes[i]))) ledger.SetNode(*spec);
  }
  judge.Look(ledger, NodeLookup().Find(ledger, asked.names), /*known_only=*/true);
}

}  // namespace

Judgement JudgeNodes(ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                     const request::Request& request) {
  Judgement judgement;
  judgement.verdicts.resize(asked.names.size());
  judgement.objections.resize(asked.names.size());
  if (!request::WantsCards(request)) return judgement;
  Judge judge(view, request, judgement);
  judgement.ids = lookup.Find(view.ledger(), asked.names);
  judge.Look(view.ledger(), judgement.ids, /*known_only=*/false);
  if (asked.has_nodes) JudgeMadeUp(judge, asked, judgement.ids);
  return judgement;
}

}  // namespace warpshare::cluster

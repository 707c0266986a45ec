#include "cluster/extender/verbs.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "pods/pod_json.h"
#include "policy/place/filter.h"
#include "policy/place/grant.h"
#include "policy/place/rank.h"
#include "policy/request/warpshare_names.h"
#include "types/printable.h"

namespace warpshare::cluster {

namespace {

using place::NodeId;
using place::Reason;
using place::Verdict;

Result<request::Request> RequestOf(json::View pod) {
  return request::ParseWarpshareNames(pods::PodViewOf(pod));
}

// Nodes that were sent whole and are not known here exist in somebody's mind only: an autoscaler
// wants to know whether to make them. Each is judged as it was sent, empty.
void JudgeMadeUp(const NodesArgs& asked, const request::Request& request,
                 const std::vector<NodeId>& ids, std::vector<Verdict>& verdicts) {
  place::Ledger ledger;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != kUnknownNode) continue;
    if (const auto spec = SpecOf(NodeViewOf(asked.nodes[i]))) ledger.SetNode(*spec);
  }
  const place::Shape shape = place::MakeShape(request, ledger);
  std::vector<Verdict> made_up;
  place::Filter(ledger, shape, NodeLookup().Find(ledger, asked.names), place::HostCheck::kSkip,
                made_up);
  for (size_t i = 0; i < ids.size(); ++i)
    if (ids[i] == kUnknownNode) verdicts[i] = made_up[i];
}

std::vector<Verdict> Judge(const ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                           const request::Request& request) {
  std::vector<Verdict> verdicts(asked.names.size());
  if (!request::WantsCards(request)) return verdicts;
  const std::vector<NodeId> ids = lookup.Find(view.ledger(), asked.names);
  const place::Shape shape = place::MakeShape(request, view.ledger());
  place::Filter(view.ledger(), shape, ids, place::HostCheck::kSkip, verdicts);
  if (asked.has_nodes) JudgeMadeUp(asked, request, ids, verdicts);
  return verdicts;
}

std::string NowhereText(const NodesArgs& asked, const std::string& reason) {
  FilterResult result;
  for (const std::string_view name : asked.names) result.never.emplace_back(name, reason);
  return FilterText(asked, result);
}

// By the place of each name; 0 where the pod does not fit, or nothing is known.
std::vector<HostScore> NoScores(const NodesArgs& asked) {
  std::vector<HostScore> scores;
  scores.reserve(asked.names.size());
  for (const std::string_view name : asked.names) scores.push_back({.host = name, .score = 0});
  return scores;
}

int64_t ToWire(int64_t score) {
  return std::max<int64_t>(score, 0) * kMaxScore / place::kBestScore;
}

class Ranking {
 public:
  // `ids` has one for each place.
  Ranking(ClusterView& view, const std::vector<NodeId>& ids, const request::Request& request)
      : view_(view),
        request_(request),
        shape_(place::MakeShape(request, view.ledger())),
        placer_(view.ledger(), view.outlook(), shape_) {
    for (uint32_t i = 0; i < ids.size(); ++i) {
      if (ids[i] == kUnknownNode) continue;
      ids_.push_back(ids[i]);
      places_.push_back(i);
    }
  }

  void Fill(std::vector<HostScore>& scores) {
    place::Score(placer_, ids_, scores_);
    for (size_t i = 0; i < ids_.size(); ++i) scores[places_[i]].score = ToWire(scores_[i]);
  }

  void HoldBest(uint64_t until_ns) {
    const auto best = std::find(scores_.begin(), scores_.end(), place::kBestScore);
    if (best == scores_.end()) return;
    const NodeId node = ids_[static_cast<size_t>(best - scores_.begin())];
    place::Placement placement;
    if (!placer_.Place(node, placement)) return;
    // What keeps it from being held is Bind's to say.
    (void)view_.Reserve(request_, place::HoldOf(request_, view_.ledger(), node, placement),
                        until_ns);
  }

 private:
  ClusterView& view_;
  const request::Request& request_;
  const place::Shape shape_;
  place::Placer placer_;
  std::vector<NodeId> ids_;
  std::vector<uint32_t> places_;
  std::vector<int64_t> scores_;
};

}  // namespace

std::string_view ReasonText(Reason reason) {
  static const auto texts = [] {
    std::array<std::string, place::kReasonCount> made;
    for (uint32_t i = 0; i < place::kReasonCount; ++i) {
      const auto each = static_cast<Reason>(i);
      made[i].append(place::ReasonWord(each)).append(": ").append(place::ReasonSentence(each));
    }
    return made;
  }();
  return texts[static_cast<size_t>(reason)];
}

std::string AnswerFilter(const ClusterView& view, NodeLookup& lookup, const NodesArgs& asked) {
  const auto request = RequestOf(asked.pod);
  if (!request)
    return NowhereText(asked, "bad_request: " + Printable(request.error().message, 512));
  const std::vector<Verdict> verdicts = Judge(view, lookup, asked, *request);
  FilterResult result;
  for (uint32_t i = 0; i < verdicts.size(); ++i) {
    if (verdicts[i].reason == Reason::kNone) {
      result.passed.push_back(i);
      continue;
    }
    auto& reasons = verdicts[i].never ? result.never : result.failed;
    reasons.emplace_back(asked.names[i], ReasonText(verdicts[i].reason));
  }
  return FilterText(asked, result);
}

std::string AnswerPrioritize(ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                             uint64_t hold_until_ns) {
  std::vector<HostScore> scores = NoScores(asked);
  const auto request = RequestOf(asked.pod);
  if (!request || !request::WantsCards(*request)) return ScoresText(scores);
  Ranking ranking(view, lookup.Find(view.ledger(), asked.names), *request);
  ranking.Fill(scores);
  if (view.FindWaiting(request->pod_uid) != nullptr) ranking.HoldBest(hold_until_ns);
  return ScoresText(scores);
}

std::string AnswerPreempt(const ClusterView& view, const PreemptArgs& asked) {
  const auto request = RequestOf(asked.pod);
  if (!request) return PreemptText({});
  if (!request::WantsCards(*request)) return PreemptText(asked.nodes);
  std::vector<std::string> names;
  std::unordered_set<std::string> uids = {request->pod_uid};
  for (const Victims& victims : asked.nodes) {
    names.push_back(victims.node);
    uids.insert(victims.uids.begin(), victims.uids.end());
  }
  const place::Ledger ledger = view.Without(names, uids);
  const place::Outlook outlook;  // whether it fits does not depend on it
  const place::Shape shape = place::MakeShape(*request, ledger);
  place::Placer placer(ledger, outlook, shape);
  place::Placement placement;
  std::vector<Victims> kept;
  for (const Victims& victims : asked.nodes) {
    const auto node = ledger.FindNode(victims.node);
    if (node && placer.Place(*node, placement)) kept.push_back(victims);
  }
  return PreemptText(kept);
}

}  // namespace warpshare::cluster

#include "cluster/extender/verbs.h"

#include <algorithm>
#include <array>
#include <optional>

#include "cluster/extender/judgement.h"
#include "pods/pod_json.h"
#include "policy/place/grant.h"
#include "policy/place/rank.h"
#include "policy/request/warpshare_names.h"
#include "types/printable.h"

namespace warpshare::cluster {

namespace {

using place::NodeId;
using place::Reason;

Result<request::Request> RequestOf(json::View pod) {
  return request::ParseWarpshareNames(pods::PodViewOf(pod));
}

FilterAnswer Nowhere(const NodesArgs& asked, const std::string& reason) {
  FilterResult result;
  for (const std::string_view name : asked.names) result.never.emplace_back(name, reason);
  FilterAnswer answer{.text = FilterText(asked, result)};
  answer.refused[static_cast<size_t>(Reason::kBadRequest)] = asked.names.size();
  return answer;
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
  Ranking(ClusterView& view, const request::Request& request)
      : view_(view),
        request_(request),
        shape_(place::MakeShape(request, view.ledger())),
        placer_(view.ledger(), view.outlook(), shape_) {}

  void Add(NodeId id, uint32_t place) {
    if (id == kUnknownNode) return;
    ids_.push_back(id);
    places_.push_back(place);
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
    if (placer_.Place(node, placement)) Hold(node, placement, until_ns);
  }

  // The best one's place; none if the pod fits nowhere.
  std::optional<uint32_t> Choose(uint64_t until_ns) {
    const auto best = view_.standings().FindBest(view_.outlook(), shape_, ids_);
    if (!best) return std::nullopt;
    Hold(best->node, best->placement, until_ns);
    return places_[static_cast<size_t>(std::ranges::find(ids_, best->node) - ids_.begin())];
  }

 private:
  void Hold(NodeId node, const place::Placement& placement, uint64_t until_ns) {
    // What keeps it from being held is Bind's to say.
    (void)view_.Reserve(request_, place::HoldOf(request_, view_.ledger(), node, placement),
                        until_ns);
  }

  ClusterView& view_;
  const request::Request& request_;
  const place::Shape shape_;
  place::Placer placer_;
  std::vector<NodeId> ids_;
  std::vector<uint32_t> places_;
  std::vector<int64_t> scores_;
};

// Leaves the best of the nodes that passed, which the pod then has to itself for a while.
void KeepBest(ClusterView& view, const std::vector<NodeId>& ids, const request::Request& request,
              uint64_t hold_until_ns, FilterResult& result) {
  Ranking ranking(view, request);
  for (const uint32_t place : result.passed) ranking.Add(ids[place], place);
  const auto best = ranking.Choose(hold_until_ns);
  if (best) result = {.passed = {*best}, .failed = {}, .never = {}};
}

bool IsToBeBound(const ClusterView& view, const NodesArgs& asked, const request::Request& request) {
  return !asked.has_nodes && view.FindWaiting(request.pod_uid) != nullptr;
}

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

FilterAnswer AnswerFilter(ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                          uint64_t hold_until_ns) {
  const auto request = RequestOf(asked.pod);
  if (!request) return Nowhere(asked, "bad_request: " + Printable(request.error().message, 512));
  Judgement judgement = JudgeNodes(view, lookup, asked, *request);
  FilterResult result;
  FilterAnswer answer;
  for (uint32_t i = 0; i < asked.names.size(); ++i) {
    const auto [reason, never] = judgement.verdicts[i];
    if (reason == Reason::kNone) {
      result.passed.push_back(i);
      continue;
    }
    ++answer.refused[static_cast<size_t>(reason)];
    auto& reasons = never ? result.never : result.failed;
    reasons.emplace_back(asked.names[i],
                         reason == Reason::kQuota ? judgement.objections[i] : ReasonText(reason));
  }
  answer.passed = result.passed.size();
  if (IsToBeBound(view, asked, *request)) {
    if (!judgement.ids.empty() && !result.passed.empty())
      KeepBest(view, judgement.ids, *request, hold_until_ns, result);
    answer.asked = std::move(judgement.ids);
  }
  answer.text = FilterText(asked, result);
  return answer;
}

std::string AnswerPrioritize(ClusterView& view, NodeLookup& lookup, const NodesArgs& asked,
                             uint64_t hold_until_ns) {
  std::vector<HostScore> scores = NoScores(asked);
  const auto request = RequestOf(asked.pod);
  if (!request || !request::WantsCards(*request)) return ScoresText(scores);
  Ranking ranking(view, *request);
  const std::vector<NodeId> ids = lookup.Find(view.ledger(), asked.names);
  for (uint32_t i = 0; i < ids.size(); ++i) ranking.Add(ids[i], i);
  ranking.Fill(scores);
  if (view.FindWaiting(request->pod_uid) != nullptr) ranking.HoldBest(hold_until_ns);
  return ScoresText(scores);
}

}  // namespace warpshare::cluster

#include "cluster/report/explanation.h"

#include <algorithm>
#include <map>
#include <utility>

#include "cluster/quota/held_amount.h"
#include "policy/place/grant.h"
#include "policy/place/rank.h"

namespace warpshare::report {

namespace {

constexpr size_t kMostDepartures = 3;
constexpr size_t kMostBarred = 3;

std::vector<RefusalGroup> GroupsOf(const std::vector<NodeAnswer>& answers) {
  std::map<std::pair<std::string, std::string>, RefusalGroup> by_reason;
  for (const NodeAnswer& answer : answers) {
    if (answer.fits()) continue;
    RefusalGroup& group = by_reason[{answer.refusal.word, answer.refusal.sentence}];
    group.refusal = answer.refusal;
    group.nodes.push_back(answer.node);
  }
  std::vector<RefusalGroup> groups;
  for (auto& [reason, group] : by_reason) groups.push_back(std::move(group));
  std::ranges::stable_sort(groups, std::greater(),
                           [](const RefusalGroup& group) { return group.nodes.size(); });
  return groups;
}

struct Near {
  const NodeAnswer* answer = nullptr;
  CardAnswers cards = {};
  double distance = 0;
};

// Nodes that lack something that others may give back, the nearest first.
std::vector<Near> NearestOf(const Survey& survey, const PodFacts& pod,
                            const std::vector<NodeAnswer>& answers) {
  std::vector<Near> near;
  for (const NodeAnswer& answer : answers) {
    if (answer.fits() || answer.refusal.never || answer.refusal.is_rule) continue;
    Near each{.answer = &answer, .cards = JudgeCards(survey, pod, answer)};
    each.distance = DistanceOf(each.cards);
    near.push_back(std::move(each));
  }
  std::ranges::stable_sort(near, {}, &Near::distance);
  return near;
}

// Where the scheduler would put it, and what it would hold there.
struct Best {
  const NodeFacts* node = nullptr;
  place::PodHold hold = {};
};

Best FindBestOf(Survey& survey, const PodFacts& pod, const std::vector<NodeAnswer>& answers) {
  std::vector<place::NodeId> ids;
  for (const NodeAnswer& answer : answers)
    if (answer.fits()) ids.push_back(answer.id);
  const place::Shape shape = place::MakeShape(pod.request, survey.ledger());
  place::Placer placer(survey.ledger(), survey.outlook(), shape);
  const auto best = place::FindBest(placer, ids);
  if (!best) return {};
  return {.node = survey.FindNode(survey.ledger().node_name(best->node)),
          .hold = place::HoldOf(pod.request, survey.ledger(), best->node, best->placement)};
}

// As bind will ask; where the pod fits nowhere, as the webhook asks at the door.
std::optional<Error> AskQuota(const Survey& survey, const PodFacts& pod, const Best& best) {
  if (!survey.quotas().quotas()) return std::nullopt;
  const place::Kinds& kinds = survey.ledger().kinds();
  Bytes smallest(kinds.count() == 0 ? 0 : UINT64_MAX);
  for (uint16_t kind = 0; kind < kinds.count(); ++kind)
    smallest = std::min(smallest, Bytes(kinds.MemoryOf(kind)));
  const admit::AmountByModel amount = best.node != nullptr
                                          ? quota::AmountOf(best.hold, survey.ledger())
                                          : admit::AmountOf(pod.request, smallest);
  return survey.quotas().Check(pod.space, amount);
}

std::string CardName(const GpuUuid& uuid, const std::string& node) {
  return "card " + uuid.Text() + " of " + node;
}

void CheckNode(const NodeFacts& node, Whereabouts& whereabouts) {
  if (!node.is_ready)
    whereabouts.problems.push_back("node " + node.name() +
                                   " is not ready: see: kubectl describe node " + node.name());
  if (!node.problem.empty()) whereabouts.problems.push_back(node.problem);
}

void CheckCard(const place::Ledger& ledger, const Whereabouts::Part& part, const std::string& node,
               std::vector<std::string>& problems) {
  const std::string name = CardName(part.grant.uuid, node);
  if (part.spec == nullptr) {
    problems.push_back(name + " was given to container " + part.container +
                       ", and the node does not announce it: see whether the card has failed, and "
                       "whether warpshare-node runs there");
    return;
  }
  if (!part.spec->healthy) problems.push_back(name + " is unhealthy");
  const auto id = ledger.FindCard(part.grant.uuid);
  if (!id) return;
  const place::Card& card = ledger.card(*id);
  if (card.memory_free < 0 || card.cores_free < 0 || card.slots_free < 0)
    problems.push_back("more of " + name +
                       " is given away than it has: see: warpshare inspect "
                       "cards --node " +
                       node);
}

void AddParts(const request::ContainerGrant& given, const NodeFacts* node,
              Whereabouts& whereabouts) {
  for (const request::CardGrant& grant : given.cards) {
    Whereabouts::Part part{.container = given.container, .grant = grant};
    for (uint32_t i = 0; node != nullptr && i < node->cards.size(); ++i) {
      if (node->cards[i].uuid != grant.uuid) continue;
      part.index = i;
      part.spec = &node->cards[i];
    }
    whereabouts.parts.push_back(std::move(part));
  }
}

}  // namespace

WhyWaiting ExplainWaiting(Survey& survey, const PodStory& story) {
  const PodFacts& pod = story.facts;
  WhyWaiting why{.is_quota_known = survey.quotas().quotas().has_value()};
  const std::vector<NodeAnswer> answers = JudgeNodes(survey, pod, story.wishes);
  why.fitting = static_cast<size_t>(std::ranges::count_if(answers, &NodeAnswer::fits));
  const Best best = FindBestOf(survey, pod, answers);
  why.best = best.node;
  why.quota = AskQuota(survey, pod, best);
  why.refusals = GroupsOf(answers);
  if (why.fitting != 0) return why;
  std::vector<Near> near = NearestOf(survey, pod, answers);
  std::vector<const NodeAnswer*> nodes;
  for (const Near& each : near) nodes.push_back(each.answer);
  why.departures = FindDepartures(survey, pod, nodes, kMostDepartures);
  why.offers = FindOffers(survey, pod, answers);
  for (Near& each : near) {
    if (why.nearest.size() == kNearNodes) break;
    why.nearest.push_back({each.answer->node, each.answer->refusal, std::move(each.cards)});
  }
  for (const NodeAnswer& answer : answers)
    if (!answer.refusal.mend.empty() && why.barred.size() < kMostBarred)
      why.barred.push_back(answer);
  return why;
}

Whereabouts ExplainPlaced(const Survey& survey, const PodStory& story) {
  const PodFacts& pod = story.facts;
  Whereabouts whereabouts;
  const NodeFacts* node = survey.FindNode(pod.node);
  if (!pod.problem.empty()) whereabouts.problems.push_back(pod.problem);
  if (node == nullptr)
    whereabouts.problems.push_back("node " + pod.node + " is gone");
  else
    CheckNode(*node, whereabouts);
  if (!pod.assignment) return whereabouts;
  for (const request::ContainerGrant& given : pod.assignment->containers)
    AddParts(given, node, whereabouts);
  for (const Whereabouts::Part& part : whereabouts.parts)
    if (node != nullptr) CheckCard(survey.ledger(), part, pod.node, whereabouts.problems);
  return whereabouts;
}

}  // namespace warpshare::report

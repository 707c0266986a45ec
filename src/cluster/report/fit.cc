#include "cluster/report/fit.h"

#include <algorithm>
#include <span>

namespace warpshare::report {

namespace {

using place::Reason;

constexpr double kOutOfReach = 1e6;  // no amount of waiting makes it another card

Refusal OfReason(const place::Verdict& verdict) {
  return {.word = std::string(place::ReasonWord(verdict.reason)),
          .sentence = std::string(place::ReasonSentence(verdict.reason)),
          .never = verdict.never};
}

// kube-scheduler counts what the kubelet says that it can give: nothing where the plugin is down.
std::optional<Hindrance> CountRefusal(const Survey& survey, const NodeFacts& node,
                                      const PodFacts& pod) {
  uint64_t slots = 0;
  uint64_t plain = 0;
  for (const PodFacts* there : survey.PodsOn(node.name())) {
    slots += there->slots;
    plain += there->plain_cards;
  }
  if (pod.slots != 0 && slots + pod.slots > node.slots)
    return Hindrance{"no_kubelet_slots", "the kubelet there has too few warpshare.io/gpu left",
                     node.slots == 0 ? "warpshare-node running on " + node.name() : ""};
  if (pod.plain_cards != 0 && plain + pod.plain_cards > node.plain_cards)
    return Hindrance{"no_plain_cards", "the kubelet there has too few nvidia.com/gpu left", ""};
  return std::nullopt;
}

Refusal RefusalOf(const Survey& survey, const PodFacts& pod, const NodeWishes& wishes,
                  const NodeFacts& node, const place::Verdict& verdict) {
  if (!node.problem.empty()) return {.word = "bad_node", .sentence = node.problem, .never = true};
  if (verdict.never) return OfReason(verdict);
  auto hindrance = HindranceOf(node, wishes);
  if (!hindrance && verdict.reason == Reason::kNone) hindrance = CountRefusal(survey, node, pod);
  if (hindrance)
    return {.word = std::move(hindrance->word),
            .sentence = std::move(hindrance->sentence),
            .mend = verdict.reason == Reason::kNone ? std::move(hindrance->mend) : "",
            .is_rule = true};
  if (verdict.reason == Reason::kNone) return {};
  return OfReason(verdict);
}

uint32_t FreeCores(const place::Card& card) {
  const int free = card.cores_free - (card.unpromised > 0 ? 1 : 0);
  return free < 0 ? 0 : static_cast<uint32_t>(free);
}

Bytes Amount(int64_t bytes) { return Bytes(bytes < 0 ? 0 : static_cast<uint64_t>(bytes)); }

struct Place {
  const Survey& survey;
  const place::Shape& shape;
  const NodeAnswer& node;
};

CardAnswers AnswersFor(const Place& place, const PodFacts& pod,
                       const place::ContainerShape& container) {
  const place::Ledger& ledger = place.survey.ledger();
  const place::Node& node = ledger.node(place.node.id);
  CardAnswers answers{.container = pod.request.containers[container.container].name,
                      .wanted_cards = container.cards};
  const size_t count = std::min<size_t>(node.card_count, place.node.node->cards.size());
  for (uint32_t i = 0; i < count; ++i) {
    const place::Card& card = ledger.card(node.first_card + i);
    const place::CardNeed& need = container.need_by_kind[card.kind];
    answers.cards.push_back({.index = i,
                             .spec = &place.node.node->cards[i],
                             .reason = place::CardReason(place.shape, container, card,
                                                         ledger.detail(node.first_card + i)),
                             .free_memory = Amount(card.memory_free),
                             .wanted_memory = Amount(need.memory),
                             .free_cores = FreeCores(card),
                             .wanted_cores = static_cast<uint32_t>(need.cores),
                             .tenants = card.tenants});
  }
  return answers;
}

bool HasEnough(const CardAnswers& answers) {
  return std::ranges::count(answers.cards, Reason::kNone, &CardAnswer::reason) >=
         answers.wanted_cards;
}

double DistanceOf(const CardAnswer& card) {
  const double whole = std::max<double>(1, static_cast<double>(card.spec->memory.count()));
  const double missing = static_cast<double>(card.missing_memory().count()) / whole +
                         card.missing_cores() / static_cast<double>(place::kWholeCores);
  switch (card.reason) {
    case Reason::kNone:
      return 0;
    case Reason::kWrongModel:
    case Reason::kWrongCard:
    case Reason::kCardTooSmall:
      return kOutOfReach;
    case Reason::kUnhealthy:
      return 1 + missing;
    case Reason::kNoSlots:
    case Reason::kNotEmpty:
      return missing + 0.1 * card.tenants;
    default:
      return missing;
  }
}

}  // namespace

Bytes CardAnswer::missing_memory() const {
  return Bytes(wanted_memory > free_memory ? wanted_memory.count() - free_memory.count() : 0);
}

uint32_t CardAnswer::missing_cores() const {
  return wanted_cores > free_cores ? wanted_cores - free_cores : 0;
}

std::vector<NodeAnswer> JudgeNodes(const Survey& survey, const PodFacts& pod,
                                   const NodeWishes& wishes) {
  std::vector<NodeAnswer> answers;
  std::vector<place::NodeId> ids;
  for (const NodeFacts& node : survey.nodes()) {
    const auto id = survey.ledger().FindNode(node.name());
    if (!id) continue;
    ids.push_back(*id);
    answers.push_back({.node = &node, .id = *id});
  }
  std::vector<place::Verdict> verdicts;
  place::Filter(survey.ledger(), place::MakeShape(pod.request, survey.ledger()), ids,
                place::HostCheck::kLook, verdicts);
  for (size_t i = 0; i < answers.size(); ++i)
    answers[i].refusal = RefusalOf(survey, pod, wishes, *answers[i].node, verdicts[i]);
  return answers;
}

CardAnswers JudgeCards(const Survey& survey, const PodFacts& pod, const NodeAnswer& answer) {
  const place::Shape shape = place::MakeShape(pod.request, survey.ledger());
  CardAnswers first;
  for (const place::ContainerShape& container : shape.containers) {
    CardAnswers answers = AnswersFor({survey, shape, answer}, pod, container);
    if (!HasEnough(answers)) return answers;
    if (first.container.empty()) first = std::move(answers);
  }
  return first;
}

double DistanceOf(const CardAnswers& answers) {
  if (answers.cards.size() < answers.wanted_cards) return kOutOfReach;
  std::vector<double> distances;
  for (const CardAnswer& card : answers.cards) distances.push_back(DistanceOf(card));
  std::ranges::sort(distances);
  double sum = 0;
  for (uint32_t i = 0; i < answers.wanted_cards; ++i) sum += distances[i];
  return sum;
}

}  // namespace warpshare::report

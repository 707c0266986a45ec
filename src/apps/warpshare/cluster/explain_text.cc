#include "apps/warpshare/cluster/explain_text.h"

#include <algorithm>
#include <iterator>

#include "apps/warpshare/cluster/card_words.h"
#include "apps/warpshare/text_table.h"
#include "types/printable.h"

namespace warpshare::app {

namespace {

using report::CardAnswer;
using report::NearNode;
using report::NodeFacts;
using report::PodStory;
using report::RefusalGroup;
using report::WhyWaiting;

constexpr size_t kShownNodes = 3;  // of a reason
constexpr size_t kShownCards = 8;  // of a near node

using Lines = std::vector<std::string>;

void Append(Lines more, Lines& lines) { std::ranges::move(more, std::back_inserter(lines)); }

std::string NamesText(const std::vector<const NodeFacts*>& nodes, bool is_wide) {
  std::string text;
  const size_t shown = is_wide ? nodes.size() : std::min(nodes.size(), kShownNodes);
  for (size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + nodes[i]->name();
  return text + (shown < nodes.size() ? ", ..." : "");
}

void AddScheduler(const PodStory& pod, Lines& lines) {
  if (!pod.scheduler_says.empty())
    lines.push_back("scheduler " + pod.scheduler + " said: " + pod.scheduler_says);
  else
    lines.push_back("no scheduler has looked at it yet: see whether one called " + pod.scheduler +
                    " runs");
}

void AddQuota(const PodStory& pod, const WhyWaiting& why, const WaitingView& view, Lines& lines) {
  if (why.quota) lines.push_back("namespace " + pod.facts.space + ": " + why.quota->message);
  if (!view.quota_gap.empty()) lines.push_back("quotas were not looked at: " + view.quota_gap);
}

void AddRefusals(const WhyWaiting& why, const WaitingView& view, Lines& lines) {
  TextTable table;
  table.Add({"NODES", "WHY NOT", "", "WHICH"});
  for (const RefusalGroup& group : why.refusals)
    table.Add({std::to_string(group.nodes.size()), group.refusal.word,
               Printable(group.refusal.sentence, 512) + (group.refusal.never ? " (never)" : ""),
               NamesText(group.nodes, view.is_wide)});
  if (why.refusals.empty()) return;
  lines.emplace_back();
  Append(table.Lines(/*width=*/0), lines);
}

std::string MissingText(const CardAnswer& card) {
  std::string text;
  const auto add = [&](const std::string& piece) { text += (text.empty() ? "" : ", ") + piece; };
  if (card.missing_memory() != 0_B) add(Rounded(card.missing_memory()) + " of memory");
  if (card.missing_cores() != 0) add(std::to_string(card.missing_cores()) + " % of its time");
  return text.empty() ? "-" : text;
}

std::string WhyNotText(const CardAnswer& card) {
  if (card.reason == place::Reason::kNone) return "it would do";
  return std::string(place::ReasonWord(card.reason));
}

void AddNear(const NearNode& near, Lines& lines) {
  lines.emplace_back();
  lines.push_back("near: " + near.node->name() + ": " + Printable(near.refusal.sentence, 512) +
                  " (container " + near.answers.container + " wants " +
                  Counted(near.answers.wanted_cards, "card", "cards") + ")");
  TextTable table;
  table.Add({"CARD", "UUID", "MODEL", "FREE", "CORES FREE", "MISSING", "WHY NOT"});
  for (const CardAnswer& card : near.answers.cards) {
    if (card.index == kShownCards) break;
    table.Add({std::to_string(card.index), card.spec->uuid.ShortText(), Printable(card.spec->model),
               Rounded(card.free_memory), std::to_string(card.free_cores) + " %", MissingText(card),
               WhyNotText(card)});
  }
  Append(table.Lines(/*width=*/0), lines);
  if (near.answers.cards.size() > kShownCards)
    lines.push_back("and " + std::to_string(near.answers.cards.size() - kShownCards) +
                    " more cards: see: warpshare inspect cards --node " + near.node->name());
}

std::string DepartureText(const report::Departure& departure) {
  std::string text = "the end of ";
  for (size_t i = 0; i < departure.pods.size(); ++i)
    text += (i == 0                           ? ""
             : i + 1 == departure.pods.size() ? " and "
                                              : ", ") +
            departure.pods[i]->Name();
  return text + " on " + departure.node->name() + " (" + Rounded(departure.memory) +
         " of its cards)";
}

std::string OfferText(const report::Offer& offer) {
  const std::string where = ": there is room on " + offer.node->name();
  switch (offer.what) {
    case report::Offer::What::kMemory:
      return "asking for " + Exact(offer.memory) + " of memory at most" + where;
    case report::Offer::What::kCores:
      return "asking for " + std::to_string(offer.number) + " % of the time at most" + where;
    case report::Offer::What::kCards:
      break;
  }
  return "asking for " + Counted(offer.number, "card", "cards") + " at most" + where;
}

void AddWaysOut(const WhyWaiting& why, Lines& lines) {
  Lines ways;
  for (const report::NodeAnswer& answer : why.barred)
    ways.push_back(answer.refusal.mend + " (" + answer.node->name() + " has room)");
  for (const report::Departure& departure : why.departures)
    ways.push_back(DepartureText(departure));
  for (const report::Offer& offer : why.offers) ways.push_back(OfferText(offer));
  if (ways.empty()) return;
  lines.emplace_back();
  lines.emplace_back("what would help, each by itself:");
  for (const std::string& way : ways) lines.push_back("  " + way);
}

void AddFits(const WhyWaiting& why, Lines& lines) {
  lines.push_back(why.best->name() + " has room for it now" +
                  (why.fitting > 1 ? ", as have " + Counted(why.fitting - 1, "other", "others")
                                   : std::string()) +
                  (why.quota ? "" : ": it goes there when its scheduler tries again"));
}

std::string StateOf(const PodStory& pod, const std::string& container) {
  for (const PodStory::Container& each : pod.containers)
    if (each.name == container)
      return each.state +
             (each.restarts == 0 ? "" : ", " + Counted(each.restarts, "restart", "restarts"));
  return "-";
}

}  // namespace

std::string HeadLine(const PodStory& pod) {
  const std::string name = "pod " + pod.facts.Name();
  if (pod.has_ended) return name + " has ended (" + pod.facts.phase + "): it holds no card";
  if (!pod.asks_for_cards)
    return name + " asks for no cards: warpshare has no say in where it goes";
  if (pod.facts.node.empty())
    return name + " waits" +
           (pod.facts.problem.empty() ? " for " + WantedText(pod.facts.request) : "");
  return name + " is on " + pod.facts.node + ": " + pod.facts.phase +
         (pod.is_going ? ", deleted and not gone yet" : "");
}

Lines SimpleLines(const PodStory& pod) {
  Lines lines = {HeadLine(pod)};
  if (pod.has_ended) return lines;
  if (!pod.asks_for_cards) {
    if (pod.facts.node.empty()) AddScheduler(pod, lines);
    return lines;
  }
  lines.push_back("no node can take it: " + Printable(pod.facts.problem, 512));
  return lines;
}

Lines WaitingLines(const PodStory& pod, const WhyWaiting& why, const WaitingView& view) {
  Lines lines = {HeadLine(pod)};
  if (pod.is_gated)
    lines.emplace_back("its scheduling gates keep every scheduler from it until they are removed");
  else
    AddScheduler(pod, lines);
  AddQuota(pod, why, view, lines);
  if (why.best != nullptr) AddFits(why, lines);
  AddRefusals(why, view, lines);
  for (const NearNode& near : why.nearest) AddNear(near, lines);
  AddWaysOut(why, lines);
  return lines;
}

Lines PlacedLines(const PodStory& pod, const report::Whereabouts& whereabouts) {
  Lines lines = {HeadLine(pod)};
  if (pod.facts.is_plain)
    lines.push_back("it has " + std::to_string(pod.facts.plain_cards) +
                    " nvidia.com/gpu of NVIDIA's own device plugin: which cards only the node "
                    "knows");
  if (!whereabouts.parts.empty()) {
    TextTable table;
    table.Add({"CONTAINER", "CARD", "UUID", "MODEL", "MEMORY", "CORES", "MODE", "STATE"});
    for (const auto& part : whereabouts.parts)
      table.Add({part.container, part.index ? std::to_string(*part.index) : "?",
                 part.grant.uuid.Text(), part.spec == nullptr ? "?" : Printable(part.spec->model),
                 Exact(part.grant.memory), CoresText(part.grant.cores_percent),
                 ModeText(part.grant), StateOf(pod, part.container)});
    lines.emplace_back();
    Append(table.Lines(/*width=*/0), lines);
    lines.emplace_back();
  }
  for (const std::string& problem : whereabouts.problems)
    lines.push_back("problem: " + Printable(problem, 1024));
  if (whereabouts.problems.empty() && !pod.facts.is_plain)
    lines.emplace_back(
        "node and API server agree: the pod's part is within what it asks for, and on cards that "
        "the node has and that are healthy");
  return lines;
}

}  // namespace warpshare::app

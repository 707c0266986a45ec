#include "apps/warpshare/cluster/explain_json.h"

#include "apps/warpshare/cluster/stock_json.h"
#include "platform/json/writer.h"

namespace warpshare::app {

namespace {

using report::CardAnswer;
using report::PodStory;
using report::WhyWaiting;

int64_t Number(uint64_t value) { return static_cast<int64_t>(value); }

void TextOrNull(const std::string& value, json::Writer& text) {
  value.empty() ? text.Null() : text.String(value);
}

const char* StandingWord(const PodStory& pod) {
  if (pod.has_ended) return "ended";
  if (!pod.asks_for_cards) return "asks_for_none";
  return pod.facts.node.empty() ? "waits" : "placed";
}

void WriteCard(const CardAnswer& card, json::Writer& text) {
  text.BeginObject().Member("index", Number(card.index)).Member("uuid", card.spec->uuid.Text());
  text.Member("model", card.spec->model).Member("reason", place::ReasonWord(card.reason));
  text.Member("free_bytes", Number(card.free_memory.count()));
  text.Member("missing_bytes", Number(card.missing_memory().count()));
  text.Member("free_cores_percent", Number(card.free_cores));
  text.Member("missing_cores_percent", Number(card.missing_cores())).EndObject();
}

void WriteNearest(const WhyWaiting& why, json::Writer& text) {
  text.Key("nearest").BeginArray();
  for (const report::NearNode& near : why.nearest) {
    text.BeginObject().Member("node", near.node->name()).Member("reason", near.refusal.word);
    text.Member("container", near.answers.container);
    text.Member("wanted_cards", Number(near.answers.wanted_cards)).Key("cards").BeginArray();
    for (const CardAnswer& card : near.answers.cards) WriteCard(card, text);
    text.EndArray().EndObject();
  }
  text.EndArray();
}

void WriteRefusals(const WhyWaiting& why, json::Writer& text) {
  text.Key("refusals").BeginArray();
  for (const report::RefusalGroup& group : why.refusals) {
    text.BeginObject().Member("reason", group.refusal.word);
    text.Member("sentence", group.refusal.sentence).Member("never", group.refusal.never);
    text.Key("nodes").BeginArray();
    for (const report::NodeFacts* node : group.nodes) text.String(node->name());
    text.EndArray().EndObject();
  }
  text.EndArray();
}

const char* WordOf(report::Offer::What what) {
  switch (what) {
    case report::Offer::What::kMemory:
      return "memory_bytes";
    case report::Offer::What::kCores:
      return "cores_percent";
    case report::Offer::What::kCards:
      break;
  }
  return "cards";
}

void WriteWaysOut(const WhyWaiting& why, json::Writer& text) {
  text.Key("departures").BeginArray();
  for (const report::Departure& departure : why.departures) {
    text.BeginObject().Member("node", departure.node->name());
    text.Member("frees_bytes", Number(departure.memory.count())).Key("pods").BeginArray();
    for (const report::PodFacts* pod : departure.pods) text.String(pod->Name());
    text.EndArray().EndObject();
  }
  text.EndArray().Key("smaller_requests").BeginArray();
  for (const report::Offer& offer : why.offers) {
    const bool is_memory = offer.what == report::Offer::What::kMemory;
    text.BeginObject().Member(WordOf(offer.what),
                              Number(is_memory ? offer.memory.count() : offer.number));
    text.Member("node", offer.node->name()).EndObject();
  }
  text.EndArray().Key("barred").BeginArray();
  for (const report::NodeAnswer& answer : why.barred)
    text.BeginObject()
        .Member("node", answer.node->name())
        .Member("reason", answer.refusal.word)
        .Member("mend", answer.refusal.mend)
        .EndObject();
  text.EndArray();
}

void WriteWhy(const Explained& explained, json::Writer& text) {
  const WhyWaiting& why = *explained.why;
  text.Member("fitting_nodes", Number(why.fitting)).Key("best_node");
  why.best == nullptr ? text.Null() : text.String(why.best->name());
  text.Key("quota_refusal");
  TextOrNull(why.quota ? why.quota->message : "", text);
  text.Key("quota_unknown");
  TextOrNull(explained.quota_gap, text);
  WriteRefusals(why, text);
  WriteNearest(why, text);
  WriteWaysOut(why, text);
}

void WriteWhereabouts(const report::Whereabouts& whereabouts, json::Writer& text) {
  text.Key("parts").BeginArray();
  for (const auto& part : whereabouts.parts) {
    text.BeginObject().Member("container", part.container).Key("index");
    part.index ? text.Integer(*part.index) : text.Null();
    WriteGrant(part.grant, text);
    text.EndObject();
  }
  text.EndArray().Key("problems").BeginArray();
  for (const std::string& problem : whereabouts.problems) text.String(problem);
  text.EndArray();
}

}  // namespace

std::string ExplanationJson(const Explained& explained) {
  const PodStory& pod = explained.pod;
  json::Writer text;
  text.BeginObject().Member("namespace", pod.facts.space).Member("pod", pod.facts.name);
  text.Member("standing", StandingWord(pod)).Member("phase", pod.facts.phase).Key("node");
  TextOrNull(pod.facts.node, text);
  text.Member("scheduler", pod.scheduler).Key("scheduler_says");
  TextOrNull(pod.scheduler_says, text);
  text.Key("problem");
  TextOrNull(pod.facts.problem, text);
  text.Key("containers").BeginArray();
  for (const PodStory::Container& container : pod.containers)
    text.BeginObject()
        .Member("name", container.name)
        .Member("state", container.state)
        .Member("restarts", Number(container.restarts))
        .EndObject();
  text.EndArray();
  if (explained.why != nullptr) WriteWhy(explained, text);
  if (explained.whereabouts != nullptr) WriteWhereabouts(*explained.whereabouts, text);
  return text.EndObject().Take();
}

}  // namespace warpshare::app

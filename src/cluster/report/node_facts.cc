#include "cluster/report/node_facts.h"

#include "abi/names/resources.h"
#include "policy/request/quantity.h"

namespace warpshare::report {

namespace {

std::string Text(json::View view) { return std::string(view.StringOr("")); }

bool IsReady(json::View node) {
  for (const json::View condition : node["status"]["conditions"].items())
    if (condition["type"].StringOr("") == "Ready")
      return condition["status"].StringOr("") == "True";
  return false;
}

std::vector<Taint> TaintsOf(json::View node) {
  std::vector<Taint> taints;
  for (const json::View taint : node["spec"]["taints"].items()) {
    if (taint["effect"].StringOr("") == "PreferNoSchedule") continue;
    taints.push_back({.key = Text(taint["key"]),
                      .value = Text(taint["value"]),
                      .effect = Text(taint["effect"])});
  }
  return taints;
}

uint64_t AllocatableOf(json::View node, const char* resource) {
  return request::QuantityInUnits(node["status"]["allocatable"][resource].StringOr("")).value_or(0);
}

}  // namespace

std::string Taint::Text() const { return key + (value.empty() ? "" : "=" + value) + ":" + effect; }

NodeFacts NodeFactsOf(json::View node) {
  NodeFacts facts{.view = cluster::NodeViewOf(node),
                  .is_ready = IsReady(node),
                  .is_cordoned = node["spec"]["unschedulable"].BooleanOr(false),
                  .taints = TaintsOf(node),
                  .slots = AllocatableOf(node, abi::kResourceGpu),
                  .plain_cards = AllocatableOf(node, abi::kResourceNvidiaGpu)};
  for (const auto& [name, value] : node["metadata"]["labels"].members())
    facts.labels.emplace(name, value.StringOr(""));
  auto spec = cluster::SpecOf(facts.view);
  if (spec)
    facts.cards = std::move(spec->cards);
  else
    facts.problem = spec.error().message;
  return facts;
}

}  // namespace warpshare::report

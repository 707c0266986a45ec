#include "cluster/report/survey.h"

#include <algorithm>
#include <utility>

#include "cluster/quota/held_amount.h"
#include "cluster/quota/quota_map.h"
#include "pods/pod_json.h"

namespace warpshare::report {

void Survey::AddNode(json::View node) {
  NodeFacts facts = NodeFactsOf(node);
  if (facts.name().empty() || node_by_name_.contains(facts.name())) return;
  view_.SetNode(facts.view);
  node_by_name_.emplace(facts.name(), nodes_.size());
  nodes_.push_back(std::move(facts));
}

void Survey::AddPod(json::View pod) {
  ++pods_seen_;
  if (pods::HasEnded(pod)) return;
  const request::PodView view = pods::PodViewOf(pod);
  view_.SetPod(view, /*has_ended=*/false);
  if (!AsksForCards(view)) return;
  PodFacts facts = PodFactsOf(view, pod["status"]["phase"].StringOr(""));
  if (const place::PodHold* hold = ledger().FindHold(facts.uid);
      hold != nullptr && !hold->cards.empty())
    quotas_.Count(facts.space, facts.uid, quota::AmountOf(*hold, ledger()));
  if (!facts.node.empty()) pods_on_[facts.node].push_back(pods_.size());
  pods_.push_back(std::move(facts));
}

void Survey::SetQuotas(json::View config_map) { quotas_.SetQuotas(quota::QuotasOf(config_map)); }

const NodeFacts* Survey::FindNode(std::string_view name) const {
  const auto found = node_by_name_.find(std::string(name));
  return found == node_by_name_.end() ? nullptr : &nodes_[found->second];
}

const PodFacts* Survey::FindPod(std::string_view space, std::string_view name) const {
  const auto found = std::ranges::find_if(
      pods_, [&](const PodFacts& pod) { return pod.space == space && pod.name == name; });
  return found == pods_.end() ? nullptr : &*found;
}

std::vector<const PodFacts*> Survey::PodsOn(const std::string& node) const {
  std::vector<const PodFacts*> pods;
  const auto found = pods_on_.find(node);
  if (found == pods_on_.end()) return pods;
  for (const size_t place : found->second) pods.push_back(&pods_[place]);
  return pods;
}

}  // namespace warpshare::report

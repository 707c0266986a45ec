#include "cluster/report/node_rules.h"

#include <algorithm>
#include <charconv>

#include "types/printable.h"

namespace warpshare::report {

namespace {

constexpr std::string_view kUnschedulable = "node.kubernetes.io/unschedulable";
constexpr std::string_view kNotReady = "node.kubernetes.io/not-ready";
constexpr std::string_view kUnreachable = "node.kubernetes.io/unreachable";

std::string Text(json::View view) { return std::string(view.StringOr("")); }

void AddRequirements(json::View list, bool is_field, std::vector<Requirement>& requirements) {
  for (const json::View item : list.items()) {
    Requirement requirement{
        .key = Text(item["key"]), .op = Text(item["operator"]), .is_field = is_field};
    for (const json::View value : item["values"].items()) requirement.values.push_back(Text(value));
    requirements.push_back(std::move(requirement));
  }
}

bool Tolerates(const Toleration& toleration, const Taint& taint) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (toleration.key.empty()) return toleration.any_value;
  return toleration.key == taint.key && (toleration.any_value || toleration.value == taint.value);
}

bool IsTolerated(const NodeWishes& wishes, const Taint& taint) {
  return std::ranges::any_of(wishes.tolerations, [&](const Toleration& toleration) {
    return Tolerates(toleration, taint);
  });
}

std::optional<int64_t> NumberOf(std::string_view text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool Compares(const Requirement& requirement, const std::string& value) {
  const auto have = NumberOf(value);
  const auto wanted =
      requirement.values.size() == 1 ? NumberOf(requirement.values[0]) : std::optional<int64_t>();
  if (!have || !wanted) return false;
  return requirement.op == "Gt" ? *have > *wanted : *have < *wanted;
}

bool Holds(const Requirement& requirement, const NodeFacts& node) {
  const std::string* value =
      requirement.is_field ? &node.name() : request::Find(node.labels, requirement.key);
  const bool is_listed =
      value != nullptr && std::ranges::find(requirement.values, *value) != requirement.values.end();
  if (requirement.op == "In") return is_listed;
  if (requirement.op == "NotIn") return !is_listed;
  if (requirement.op == "Exists") return value != nullptr;
  if (requirement.op == "DoesNotExist") return value == nullptr;
  return value != nullptr && Compares(requirement, *value);
}

bool Holds(const std::vector<Requirement>& term, const NodeFacts& node) {
  return !term.empty() && std::ranges::all_of(term, [&](const Requirement& requirement) {
    return Holds(requirement, node);
  });
}

Hindrance OfTaint(const NodeFacts& node, const Taint& taint) {
  if (taint.key == kNotReady || taint.key == kUnreachable)
    return {"not_ready", "the node is not ready", "kubectl describe node " + node.name()};
  const std::string text = Printable(taint.Text());
  return {"taint", "the node has a taint that the pod does not tolerate: " + text,
          "a toleration of " + text + " in the pod"};
}

}  // namespace

NodeWishes NodeWishesOf(json::View pod) {
  NodeWishes wishes;
  const json::View spec = pod["spec"];
  for (const auto& [name, value] : spec["nodeSelector"].members())
    wishes.selector.emplace(name, value.StringOr(""));
  const json::View terms =
      spec["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
          ["nodeSelectorTerms"];
  for (const json::View term : terms.items()) {
    std::vector<Requirement> requirements;
    AddRequirements(term["matchExpressions"], /*is_field=*/false, requirements);
    AddRequirements(term["matchFields"], /*is_field=*/true, requirements);
    wishes.affinity.push_back(std::move(requirements));
  }
  for (const json::View toleration : spec["tolerations"].items())
    wishes.tolerations.push_back({.key = Text(toleration["key"]),
                                  .any_value = toleration["operator"].StringOr("") == "Exists",
                                  .value = Text(toleration["value"]),
                                  .effect = Text(toleration["effect"])});
  return wishes;
}

std::optional<Hindrance> HindranceOf(const NodeFacts& node, const NodeWishes& wishes) {
  for (const auto& [key, value] : wishes.selector) {
    const std::string* label = request::Find(node.labels, key);
    if (label == nullptr || *label != value)
      return Hindrance{"selector", "the pod's nodeSelector wants other nodes", ""};
  }
  const bool is_wished =
      wishes.affinity.empty() ||
      std::ranges::any_of(wishes.affinity, [&](const auto& term) { return Holds(term, node); });
  if (!is_wished) return Hindrance{"affinity", "the pod's node affinity wants other nodes", ""};
  const Taint cordon{.key = std::string(kUnschedulable), .effect = "NoSchedule"};
  if (node.is_cordoned && !IsTolerated(wishes, cordon))
    return Hindrance{"cordoned", "the node is cordoned", "kubectl uncordon " + node.name()};
  for (const Taint& taint : node.taints)
    if (!IsTolerated(wishes, taint)) return OfTaint(node, taint);
  if (!node.is_ready)
    return Hindrance{"not_ready", "the node is not ready", "kubectl describe node " + node.name()};
  return std::nullopt;
}

}  // namespace warpshare::report

#include "pods/queue_json.h"

#include <algorithm>
#include <functional>
#include <string>

namespace warpshare::pods {

namespace {

bool IsEmpty(json::View list) { return list.size() == 0; }

// kube-scheduler writes this condition when it finds no node; a pod that was held back by its gates
// carries it from the beginning.
bool WasTried(json::View status) {
  for (const json::View condition : status["conditions"].items())
    if (condition["type"].StringOr("") == "PodScheduled")
      return condition["reason"].StringOr("") != "SchedulingGated";
  return false;
}

// Where other pods are, or volumes and devices that were claimed, says where it may go.
bool DependsOnMore(json::View spec) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  const json::View affinity = spec["affinity"];
  if (!IsEmpty(affinity["podAffinity"][kRequired])) return true;
  if (!IsEmpty(affinity["podAntiAffinity"][kRequired])) return true;
  if (!IsEmpty(spec["topologySpreadConstraints"]) || !IsEmpty(spec["resourceClaims"])) return true;
  for (const json::View volume : spec["volumes"].items())
    if (volume["persistentVolumeClaim"] || volume["ephemeral"]) return true;
  return false;
}

uint64_t KindOf(json::View spec) {
  if (DependsOnMore(spec)) return 0;
  std::string said;
  for (const std::string_view part : {"schedulerName", "nodeSelector", "affinity", "tolerations"})
    said.append(spec[part].exists() ? spec[part].Text() : "").push_back('\n');
  return std::max<uint64_t>(std::hash<std::string>()(said), 1);
}

}  // namespace

request::QueueView QueueViewOf(json::View pod) {
  const json::View spec = pod["spec"];
  const json::View status = pod["status"];
  const bool is_gated = !IsEmpty(spec["schedulingGates"]);
  return {.scheduler = std::string(spec["schedulerName"].StringOr("")),
          .nominated_node = std::string(status["nominatedNodeName"].StringOr("")),
          .is_gated = is_gated,
          .is_untried = !is_gated && !WasTried(status),
          .kind = KindOf(spec)};
}

}  // namespace warpshare::pods

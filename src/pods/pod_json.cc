#include "pods/pod_json.h"

#include <algorithm>
#include <ctime>

#include "pods/queue_json.h"

namespace warpshare::pods {

namespace {

using request::ContainerKind;
using request::ContainerView;
using request::TextMap;

std::string Text(json::View view) { return std::string(view.StringOr("")); }

// The API server writes quantities as texts; people who write a pod by hand may not.
TextMap TextsOf(json::View object) {
  TextMap texts;
  for (const auto& [name, value] : object.members())
    texts.emplace(name, value.kind() == json::Kind::kString ? Text(value) : value.Text());
  return texts;
}

ContainerView ContainerOf(json::View container, ContainerKind kind) {
  const json::View resources = container["resources"];
  return {.name = Text(container["name"]),
          .kind = kind,
          .limits = TextsOf(resources["limits"]),
          .requests = TextsOf(resources["requests"]),
          .privileged = container["securityContext"]["privileged"].BooleanOr(false)};
}

ContainerKind KindOfInit(json::View container) {
  return container["restartPolicy"].StringOr("") == "Always" ? ContainerKind::kSidecar
                                                             : ContainerKind::kInit;
}

int32_t PriorityOf(json::View spec) {
  const int64_t priority = spec["priority"].IntegerOr(0);
  return static_cast<int32_t>(std::clamp<int64_t>(priority, INT32_MIN, INT32_MAX));
}

// "2026-05-01T10:00:00Z", as the API server writes times.
int64_t SecondsOf(json::View time) {
  std::tm parts{};
  const std::string text = Text(time);
  const char* end = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return end == nullptr || *end != '\0' ? 0 : std::max<int64_t>(timegm(&parts), 0);
}

bool IsAnyRunning(json::View statuses) {
  for (const json::View status : statuses.items())
    if (status["state"]["running"].kind() == json::Kind::kObject) return true;
  return false;
}

}  // namespace

request::PodView PodViewOf(json::View pod) {
  const json::View metadata = pod["metadata"];
  const json::View spec = pod["spec"];
  request::PodView view{.namespace_name = Text(metadata["namespace"]),
                        .name = Text(metadata["name"]),
                        .uid = Text(metadata["uid"]),
                        .version = Text(metadata["resourceVersion"]),
                        .node_name = Text(spec["nodeName"]),
                        .priority = PriorityOf(spec),
                        .created_s = SecondsOf(metadata["creationTimestamp"]),
                        .labels = TextsOf(metadata["labels"]),
                        .annotations = TextsOf(metadata["annotations"])};
  for (const json::View container : spec["initContainers"].items())
    view.containers.push_back(ContainerOf(container, KindOfInit(container)));
  for (const json::View container : spec["containers"].items())
    view.containers.push_back(ContainerOf(container, ContainerKind::kOrdinary));
  const json::View status = pod["status"];
  view.is_running =
      IsAnyRunning(status["containerStatuses"]) || IsAnyRunning(status["initContainerStatuses"]);
  view.is_leaving = metadata["deletionTimestamp"].exists();
  if (view.node_name.empty()) view.queue = QueueViewOf(pod);
  return view;
}

bool HasEnded(json::View pod) {
  const std::string_view phase = pod["status"]["phase"].StringOr("");
  return phase == "Succeeded" || phase == "Failed";
}

}  // namespace warpshare::pods

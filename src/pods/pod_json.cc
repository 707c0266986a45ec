#include "pods/pod_json.h"

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

}  // namespace

request::PodView PodViewOf(json::View pod) {
  const json::View metadata = pod["metadata"];
  const json::View spec = pod["spec"];
  request::PodView view{.namespace_name = Text(metadata["namespace"]),
                        .name = Text(metadata["name"]),
                        .uid = Text(metadata["uid"]),
                        .node_name = Text(spec["nodeName"]),
                        .labels = TextsOf(metadata["labels"]),
                        .annotations = TextsOf(metadata["annotations"])};
  for (const json::View container : spec["initContainers"].items())
    view.containers.push_back(ContainerOf(container, KindOfInit(container)));
  for (const json::View container : spec["containers"].items())
    view.containers.push_back(ContainerOf(container, ContainerKind::kOrdinary));
  return view;
}

bool HasEnded(json::View pod) {
  const std::string_view phase = pod["status"]["phase"].StringOr("");
  return phase == "Succeeded" || phase == "Failed";
}

}  // namespace warpshare::pods

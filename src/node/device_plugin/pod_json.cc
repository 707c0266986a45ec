#include "node/device_plugin/pod_json.h"

#include "abi/names/annotations.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::node {

namespace {

using request::ContainerKind;
using request::ContainerView;
using request::PodView;
using request::TextMap;

// Of a static pod: the uid that the kubelet gave it, which is not the one of its object.
constexpr char kMirrorAnnotation[] = "kubernetes.io/config.mirror";

std::string Text(const json::View& view) { return std::string(view.StringOr("")); }

// Quantities may be numbers where somebody wrote the pod by hand.
TextMap TextsOf(const json::View& object) {
  TextMap texts;
  for (const auto& [name, value] : object.members())
    texts.emplace(name, value.kind() == json::Kind::kString ? Text(value) : value.Text());
  return texts;
}

ContainerView ContainerOf(const json::View& json, bool is_init) {
  ContainerView view{.name = Text(json["name"]),
                     .kind = ContainerKind::kOrdinary,
                     .limits = TextsOf(json["resources"]["limits"]),
                     .requests = TextsOf(json["resources"]["requests"]),
                     .privileged = json["securityContext"]["privileged"].BooleanOr(false)};
  if (is_init)
    view.kind = json["restartPolicy"].StringOr("") == "Always" ? ContainerKind::kSidecar
                                                               : ContainerKind::kInit;
  return view;
}

}  // namespace

PodView ViewOfPod(const json::View& untrusted_pod) {
  const json::View metadata = untrusted_pod["metadata"];
  const json::View spec = untrusted_pod["spec"];
  PodView pod{.namespace_name = Text(metadata["namespace"]),
              .name = Text(metadata["name"]),
              .uid = Text(metadata["uid"]),
              .node_name = Text(spec["nodeName"]),
              .labels = TextsOf(metadata["labels"]),
              .annotations = TextsOf(metadata["annotations"]),
              .containers = {}};
  for (const json::View init : spec["initContainers"].items())
    pod.containers.push_back(ContainerOf(init, true));
  for (const json::View container : spec["containers"].items())
    pod.containers.push_back(ContainerOf(container, false));
  return pod;
}

bool HasEnded(const json::View& untrusted_pod) {
  const std::string_view phase = untrusted_pod["status"]["phase"].StringOr("");
  return phase == "Succeeded" || phase == "Failed";
}

Result<PodOnNode> PodFromJson(const json::View& untrusted_pod) {
  const PodView view = ViewOfPod(untrusted_pod);
  auto request = request::ParseWarpshareNames(view);
  if (!request) return Forward(request);
  PodOnNode pod{.request = std::move(*request), .untrusted_assignment = {}};
  if (const std::string* uid = request::Find(view.annotations, kMirrorAnnotation))
    pod.request.pod_uid = *uid;
  if (const std::string* text = request::Find(view.annotations, abi::kAnnotationAssignment))
    pod.untrusted_assignment = *text;
  return pod;
}

}  // namespace warpshare::node

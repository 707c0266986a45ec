#include "node/device_plugin/pod_json.h"

#include "abi/names/annotations.h"
#include "pods/pod_json.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::node {

namespace {

// Of a static pod: the uid that the kubelet gave it, which is not the one of its object.
constexpr char kMirrorAnnotation[] = "kubernetes.io/config.mirror";

}  // namespace

Result<PodOnNode> PodFromJson(const json::View& untrusted_pod) {
  const request::PodView view = pods::PodViewOf(untrusted_pod);
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

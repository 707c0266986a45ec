#include "node/device_plugin/pod_json.h"

#include <utility>

#include "abi/names/annotations.h"
#include "pods/pod_json.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::node {

namespace {

// Of a static pod: the uid that the kubelet gave it, which is not the one of its object.
constexpr char kMirrorAnnotation[] = "kubernetes.io/config.mirror";

}  // namespace

Result<PodOnNode> PodFromJson(const json::View& untrusted_pod) {
  request::PodView view = pods::PodViewOf(untrusted_pod);
  if (request::IsForNvidiasPlugin(view)) view = request::WithoutNvidiasCards(std::move(view));
  auto standing = request::ParseOfPlacedPod(view);
  if (!standing) return Forward(standing);
  PodOnNode pod{.request = std::move(standing->request),
                .node = view.node_name,
                .bad_wish = std::move(standing->bad_wish),
                .given_back = GivenBackBy(view),
                .object_uid = view.uid,
                .version = view.version};
  if (const std::string* uid = request::Find(view.annotations, kMirrorAnnotation))
    pod.request.pod_uid = *uid;
  if (const std::string* text = request::Find(view.annotations, abi::kAnnotationAssignment))
    pod.untrusted_assignment = *text;
  return pod;
}

}  // namespace warpshare::node

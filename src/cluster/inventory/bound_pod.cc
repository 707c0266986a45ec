#include "cluster/inventory/bound_pod.h"

#include "abi/names/annotations.h"
#include "policy/place/grant.h"
#include "policy/request/bound_assignment.h"

namespace warpshare::cluster {

Result<BoundPod> ReadBoundPod(const request::PodView& pod, const request::Request& request) {
  if (!request::WantsCards(request))
    return BoundPod{
        .hold = {.node = pod.node_name, .host = request.host, .priority = request.priority},
        .assignment = {}};
  const std::string* text = request::Find(pod.annotations, abi::kAnnotationAssignment);
  if (text == nullptr)
    return Fail(Errc::kNotFound, "assignment: none, though the pod is on " + pod.node_name +
                                     ": it did not come through warpshare's scheduler");
  auto assignment = request::ReadBoundAssignment(*text, request, pod.node_name);
  if (!assignment) return Forward(assignment);
  return BoundPod{.hold = place::HoldOf(request, *assignment),
                  .assignment = std::move(*assignment)};
}

}  // namespace warpshare::cluster

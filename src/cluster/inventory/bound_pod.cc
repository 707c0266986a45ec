#include "cluster/inventory/bound_pod.h"

#include "abi/names/annotations.h"
#include "policy/place/grant.h"
#include "policy/request/assignment.h"

namespace warpshare::cluster {

namespace {

Failure Edited(const std::string& what) {
  return Fail(Errc::kConflict, "assignment: " + what +
                                   ": it was edited; delete the pod, so that it is placed again");
}

// More than any card has, and little enough that the sums of many pods stay sums.
constexpr Bytes kLargestCard(uint64_t{1} << 46);

bool CanBe(const request::CardGrant& grant, const request::ContainerRequest& asked) {
  return grant.memory <= kLargestCard && grant.whole == asked.whole;
}

Result<void> CheckCards(const request::Assignment& assignment, const request::Request& request) {
  for (const request::ContainerRequest& asked : request.containers) {
    const request::ContainerGrant* grant = assignment.Find(asked.name);
    const size_t given = grant == nullptr ? 0 : grant->cards.size();
    if (given != asked.cards)
      return Edited("container " + asked.name + " asks for " + std::to_string(asked.cards) +
                    " cards and has " + std::to_string(given));
    for (size_t i = 0; i < given; ++i)
      if (!CanBe(grant->cards[i], asked))
        return Edited("container " + asked.name + " has what it cannot have asked for");
  }
  return {};
}

}  // namespace

Result<BoundPod> ReadBoundPod(const request::PodView& pod, const request::Request& request) {
  if (!request::WantsCards(request))
    return BoundPod{
        .hold = {.node = pod.node_name, .host = request.host, .priority = request.priority},
        .assignment = {}};
  const std::string* text = request::Find(pod.annotations, abi::kAnnotationAssignment);
  if (text == nullptr)
    return Fail(Errc::kNotFound, "assignment: none, though the pod is on " + pod.node_name +
                                     ": it did not come through warpshare's scheduler");
  auto assignment = request::DecodeAssignment(*text);
  if (!assignment) return Forward(assignment);
  if (assignment->node != pod.node_name)
    return Edited("it is for node " + assignment->node + ", the pod is on " + pod.node_name);
  if (auto checked = CheckCards(*assignment, request); !checked) return Forward(checked);
  return BoundPod{.hold = place::HoldOf(request, *assignment),
                  .assignment = std::move(*assignment)};
}

}  // namespace warpshare::cluster

#include "policy/request/bound_assignment.h"

namespace warpshare::request {

namespace {

Failure Edited(const std::string& what) {
  return Fail(Errc::kConflict, "assignment: " + what +
                                   ": it was edited; delete the pod, so that it is placed again");
}

// More than any card has, and little enough that the sums of many pods stay sums.
constexpr Bytes kLargestCard(uint64_t{1} << 46);

bool CanBe(const CardGrant& grant, const ContainerRequest& asked) {
  return grant.memory <= kLargestCard && grant.whole == asked.whole;
}

Result<void> CheckCards(const Assignment& assignment, const Request& request) {
  for (const ContainerRequest& asked : request.containers) {
    const ContainerGrant* grant = assignment.Find(asked.name);
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

Result<Assignment> ReadBoundAssignment(std::string_view text, const Request& request,
                                       const std::string& node) {
  auto assignment = DecodeAssignment(text);
  if (!assignment) return assignment;
  if (assignment->node != node)
    return Edited("it is for node " + assignment->node + ", the pod is on " + node);
  if (auto checked = CheckCards(*assignment, request); !checked) return Forward(checked);
  return assignment;
}

}  // namespace warpshare::request

#include "node/device_plugin/held_parts.h"

#include "node/device_plugin/holders.h"
#include "node/device_plugin/lowered.h"
#include "policy/place/grant.h"

namespace warpshare::node {

namespace {

void Add(const request::Request& pod, const request::Assignment& assignment, HeldParts& parts) {
  for (const place::HeldCard& held : place::HoldOf(pod, assignment).cards) {
    HeldPart& part = parts[held.uuid];
    part.memory = Bytes(part.memory.count() + static_cast<uint64_t>(held.hold.memory));
    part.cores_percent += static_cast<uint32_t>(held.hold.cores);
  }
}

}  // namespace

std::optional<HeldParts> FindHeldParts(AssignmentSource& source, const Tenants& tenants,
                                       const TakenCards& taken) {
  if (source.changes() == 0) return std::nullopt;
  const auto pods = source.Pods();
  if (!pods) return std::nullopt;
  HeldParts parts;
  for (Holder& holder : HoldersOf(*pods, tenants)) {
    // The scheduler counts what a pod may have; of one that is gone, what it has.
    if (holder.is_gone) CountUseAbove(holder.pod_uid, tenants, holder.assignment);
    Add(holder.request, holder.assignment, parts);
  }
  if (const auto others = taken.AsHolder()) Add(others->request, others->assignment, parts);
  return parts;
}

}  // namespace warpshare::node

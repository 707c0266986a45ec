// What the pods of this node hold of each card, counted as the scheduler counts it: each pod in its
// peak from its Binding until it has ended, and beyond its end what processes are still in; and
// cards that another device plugin gave away. The node's own word, from its own folders where a pod
// has started.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "node/device_plugin/assignment_source.h"
#include "node/device_plugin/taken_cards.h"
#include "node/tenancy/container_tenant.h"
#include "types/bytes.h"
#include "types/gpu_uuid.h"

namespace warpshare::node {

struct HeldPart {
  Bytes memory = {};
  uint32_t cores_percent = 0;

  bool operator==(const HeldPart&) const = default;
};

using HeldParts = std::map<GpuUuid, HeldPart>;

// None while it is not known which pods there are. Does not wait.
std::optional<HeldParts> FindHeldParts(AssignmentSource& source,
                                       const std::vector<ContainerTenant>& tenants,
                                       const TakenCards& taken);

}  // namespace warpshare::node

// Which nodes a pod could go to, and why not to the others. Reads only.
#pragma once

#include <span>
#include <vector>

#include "policy/place/placement.h"
#include "policy/place/reason.h"

namespace warpshare::place {

struct Verdict {
  Reason reason = Reason::kNone;
  bool never = false;  // not even when the node is empty, so that preemption cannot help

  bool operator==(const Verdict&) const = default;
};

enum class HostCheck : uint8_t {
  kSkip,  // kube-scheduler has looked at processors and memory already
  kLook,
};

// One verdict for each node, in their order.
void Filter(const Ledger& ledger, const Shape& shape, std::span<const NodeId> nodes,
            HostCheck host_check, std::vector<Verdict>& verdicts);

// Whether the node has processors and memory for it, where they are known.
Reason HostReason(const Shape& shape, const Node& node);

// Why a container cannot have this card now; kNone if it can.
Reason CardReason(const Shape& shape, const ContainerShape& container, const Card& card,
                  const CardDetail& detail);

}  // namespace warpshare::place

// The time between two turns: one tenant may not run any more, and what it has in flight is waited
// for before the next one may.
#pragma once

#include <cstdint>

#include "policy/share/snapshot.h"

namespace warpshare::node {

struct Drain {
  share::TenantId tenant;
  uint64_t began_ns;
  uint64_t at_most_until_ns;
  uint64_t used_ns;  // by the tenant when it began
};

}  // namespace warpshare::node

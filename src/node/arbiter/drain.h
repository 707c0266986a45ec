// The time between two turns: one tenant may not run any more, and what it has in flight is waited
// for before the next one may. Or all may not that shared the card.
#pragma once

#include <cstdint>

#include "policy/share/snapshot.h"

namespace warpshare::node {

struct Drain {
  share::TenantId tenant;
  bool is_of_all = false;  // whoever it is; then it is over at the time below
  uint64_t began_ns;
  uint64_t at_most_until_ns;
  uint64_t used_ns;  // by the tenant when it began
};

}  // namespace warpshare::node

// What a fork child gets from its parent's session and must let go of: a descriptor, whose lock
// would make the parent look alive, and two mappings. The session itself is wiped
// (guest/fork_wiped.h).
#pragma once

#include "interposer/session/tenant_pages.h"

namespace warpshare::interposer {

// Called by the process that opened `pages`.
void LeaveToForkChild(const TenantPages& pages);

// Called in a child before it opens its own: by fork() itself, or at the child's first CUDA call.
void ReleaseInherited();

}  // namespace warpshare::interposer

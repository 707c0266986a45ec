// What a daemon may do that it does not need.
#pragma once

#include "result/result.h"

namespace warpshare::platform {

// Gives up capabilities and the way back to them, for this thread and those it starts. All but what
// a thread that must wake on time asks for (platform/futex): a little real-time priority.
Result<void> GiveUpPrivileges();

}  // namespace warpshare::platform

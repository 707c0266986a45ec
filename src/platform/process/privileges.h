// What a daemon may do that it does not need.
#pragma once

#include "result/result.h"

namespace warpshare::platform {

// Gives up all capabilities and the way back to them, for this thread and those it starts. What a
// thread that must wake on time asks for (platform/futex) is allowed first, where that can be.
Result<void> GiveUpPrivileges();

}  // namespace warpshare::platform

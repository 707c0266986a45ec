// warpshare set: other limits for a running tenant.
#pragma once

#include "apps/warpshare/options.h"

namespace warpshare::app {

int Set(const SetOptions& options);

}  // namespace warpshare::app

// warpshare run: a program as a tenant.
#pragma once

#include "apps/warpshare/options.h"

namespace warpshare::app {

int Run(const RunOptions& options);

}  // namespace warpshare::app

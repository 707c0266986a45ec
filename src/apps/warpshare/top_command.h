// warpshare top: the same as ps, again and again.
#pragma once

#include "apps/warpshare/options.h"

namespace warpshare::app {

int Top(const TopOptions& options);

}  // namespace warpshare::app

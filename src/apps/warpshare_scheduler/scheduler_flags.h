// The flags of warpshare-scheduler, those of its parts too. What it includes is heavy, so it alone
// sees CLI11.
#pragma once

#include <optional>

#include "apps/warpshare_scheduler/scheduler_options.h"

namespace warpshare::app {

// The exit code, where there is nothing to run: help was asked for, or a flag is wrong, which has
// been said.
std::optional<int> ReadFlags(int argc, char** argv, SchedulerOptions& options);

}  // namespace warpshare::app

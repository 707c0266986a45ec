// The flags of warpshare-scheduler, those of its parts too.
#pragma once

#include "apps/warpshare_scheduler/scheduler_options.h"

namespace CLI {  // NOLINT(readability-identifier-naming): its own
class App;
}

namespace warpshare::app {

void AddSchedulerOptions(CLI::App& app, SchedulerOptions& options);

}  // namespace warpshare::app

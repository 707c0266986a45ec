// From what the flags said to what the service is made of. Errors are for the one who wrote the
// flags.
#pragma once

#include "apps/warpshare_scheduler/scheduler_options.h"
#include "cluster/service/scheduler_service.h"
#include "platform/kube/config.h"
#include "platform/log_file/log_file.h"

namespace warpshare::app {

Result<platform::LogFile> LogOf(const SchedulerOptions& options);

Result<kube::Config> ApiServerOf(const SchedulerOptions& options);

// Reads the certificate's files.
Result<cluster::ServiceOptions> ServiceOf(const SchedulerOptions& options);

}  // namespace warpshare::app

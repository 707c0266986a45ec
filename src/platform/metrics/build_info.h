// What a daemon says of itself on its page.
#pragma once

#include <string>

#include "platform/metrics/metric_page.h"

namespace warpshare::platform {

void AddBuildInfo(const std::string& version, MetricPage& page);

}  // namespace warpshare::platform

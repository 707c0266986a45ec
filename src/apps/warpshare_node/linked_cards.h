// Which of the cards NVLink joins, asked of the driver.
#pragma once

#include <string>
#include <vector>

#include "platform/log_file/log_file.h"
#include "platform/nvml/nvml.h"

namespace warpshare::app {

// Numbers their link groups. Where the driver cannot say, they stay without.
void FindLinks(const std::string& driver_folder, std::vector<platform::Card>& cards,
               platform::Log& log);

}  // namespace warpshare::app

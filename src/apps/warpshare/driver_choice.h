// Which driver a tenant gets: the simulated one beside this program, or this machine's.
#pragma once

#include <string>

#include "apps/warpshare/installation.h"
#include "platform/driver_files/driver_files.h"
#include "result/result.h"

namespace warpshare::app {

Result<platform::DriverFiles> ChooseDriver(const Installation& installation, bool simulated);

}  // namespace warpshare::app

// What `warpshare doctor` looks at. Nothing here loads a driver into this process: it is done in
// children, which may crash or hang (driver_probe.h).
#pragma once

#include <string>
#include <vector>

#include "apps/warpshare/doctor_check.h"
#include "apps/warpshare/installation.h"

namespace warpshare::app {

// `version`: "2.36", what the running C library says of itself.
Check CheckGlibc(const std::string& version);

// Of the driver's device nodes in that folder, whether this user may read and write them. Nothing
// where there are none: they are not what every driver has.
std::vector<Check> CheckDeviceNodes(const std::string& folder);

// One for each of the two libraries: there, and standing for the right name.
std::vector<Check> CheckLibraries(const Installation& installation);

// The driver's files, its answer to cuInit, its cards, and whether a limit reaches a program: each
// one only when those before it are fine.
std::vector<Check> CheckDriver(const Installation& installation, bool simulated);

// The state folder, what lies in it, and who hands out GPU time to those in it.
std::vector<Check> CheckTenants(const Installation& installation);

}  // namespace warpshare::app

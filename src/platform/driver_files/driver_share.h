// What of the host's driver a program of CUDA needs in its container, so that nothing but this has
// to put it there. All paths are the host's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/driver_files/host_root.h"
#include "result/result.h"

namespace warpshare::platform {

struct DriverShare {
  std::vector<std::string> files;  // of the driver's folder
  std::vector<std::string> nodes;  // "/dev/nvidia0"
};

// The first of these two, as it is now: an upgrade of the driver gives some files other names.
Result<std::vector<std::string>> DriverFilesIn(const HostRoot& host, const std::string& folder);

// `folder`: FindDriver's. `minors`: the cards'. Fails when a node is missing without which no
// program could use any card.
Result<DriverShare> ShareOfDriver(const HostRoot& host, const std::string& folder,
                                  const std::vector<uint32_t>& minors);

}  // namespace warpshare::platform

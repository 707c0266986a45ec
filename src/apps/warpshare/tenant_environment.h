// What a program must have in its environment to be a tenant.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "node/tenancy/membership.h"

namespace warpshare::app {

using Environment = std::vector<std::pair<std::string, std::string>>;

struct TenantSurroundings {
  std::string interposer_folder;
  std::string driver_folder;
  bool preload;  // also for programs that look for the driver by a path of their own
};

// Variables to set, on top of the caller's.
Environment TenantEnvironment(const TenantSurroundings& surroundings,
                              const node::Membership& membership);

}  // namespace warpshare::app

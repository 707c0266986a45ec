// What a program must have in its environment to be a tenant.
#pragma once

#include <string>

#include "node/tenancy/membership.h"
#include "platform/process/environment.h"

namespace warpshare::app {

struct TenantSurroundings {
  std::string interposer_folder;
  std::string driver_folder;
  bool preload;  // also for programs that look for the driver by a path of their own
};

platform::EnvironmentChanges TenantEnvironment(const TenantSurroundings& surroundings,
                                               const node::Membership& membership);

}  // namespace warpshare::app

#include "apps/warpshare/driver_choice.h"

#include "abi/names/env.h"

namespace warpshare::app {

Result<platform::DriverFiles> ChooseDriver(const Installation& installation, bool simulated) {
  if (!simulated) return platform::FindDriver(platform::DriverSearch::FromEnvironment());
  auto found = platform::FindDriver({.named_folder = installation.simulator_folder,
                                     .library_path = {},
                                     .loader_cache = {},
                                     .usual_folders = {}});
  if (!found)
    return Fail(Errc::kNotFound, std::string("no simulated driver (") + abi::kCudaSoname + ") in " +
                                     installation.simulator_folder + ": install warpshare again");
  found->found_by = "--sim";
  return found;
}

}  // namespace warpshare::app

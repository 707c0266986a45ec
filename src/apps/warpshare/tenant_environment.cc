#include "apps/warpshare/tenant_environment.h"

#include <cstdlib>

#include "abi/names/env.h"

namespace warpshare::app {

namespace {

// An empty word in such a list would mean the current folder.
std::string Prepend(const std::string& words, const char* variable) {
  const char* others = std::getenv(variable);
  return others == nullptr || *others == '\0' ? words : words + ":" + others;
}

}  // namespace

platform::EnvironmentChanges TenantEnvironment(const TenantSurroundings& surroundings,
                                               const node::Membership& membership) {
  const std::string& folder = surroundings.interposer_folder;
  platform::EnvironmentChanges environment = {
      {abi::kEnvTenantDir, membership.tenant().tenant_side()},
      {abi::kEnvDriverDir, surroundings.driver_folder},
      {"LD_LIBRARY_PATH", Prepend(folder, "LD_LIBRARY_PATH")},
      // It has chosen the tenant's cards. What the program makes of it chooses among these.
      {"CUDA_VISIBLE_DEVICES", std::nullopt},
      // The order of nvidia-smi and of --gpu, so that a number means one card everywhere.
      {"CUDA_DEVICE_ORDER", "PCI_BUS_ID"},
  };
  if (surroundings.preload) {
    const std::string libraries =
        folder + "/" + abi::kCudaSoname + ":" + folder + "/" + abi::kNvmlSoname;
    environment.emplace_back("LD_PRELOAD", Prepend(libraries, "LD_PRELOAD"));
  }
  return environment;
}

}  // namespace warpshare::app

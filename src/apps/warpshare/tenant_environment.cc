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

std::string VisibleDevices(const platform::Limits& limits) {
  std::string uuids;
  for (const platform::CardLimit& card : limits.cards)
    uuids += (uuids.empty() ? "" : ",") + card.uuid.Text();
  return uuids;
}

}  // namespace

Environment TenantEnvironment(const TenantSurroundings& surroundings,
                              const node::Membership& membership) {
  const std::string& folder = surroundings.interposer_folder;
  Environment environment = {
      {abi::kEnvTenantDir, membership.tenant().tenant_side()},
      {abi::kEnvDriverDir, surroundings.driver_folder},
      {"LD_LIBRARY_PATH", Prepend(folder, "LD_LIBRARY_PATH")},
      {"CUDA_VISIBLE_DEVICES", VisibleDevices(membership.limits())},
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

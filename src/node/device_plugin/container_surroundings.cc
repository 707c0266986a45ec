#include "node/device_plugin/container_surroundings.h"

#include <algorithm>
#include <filesystem>

#include "abi/names/env.h"
#include "node/device_plugin/cdi_spec.h"
#include "platform/driver_files/driver_share.h"

namespace warpshare::node {

namespace {

// In the container.
constexpr char kInterposerFolder[] = "/usr/local/warpshare/lib";
constexpr char kPreloadPath[] = "/etc/ld.so.preload";
// One of abi::kUsualDriverFolders, where the interposer looks also in a changed environment; no
// image has files of its own there.
constexpr char kDriverFolder[] = "/usr/local/nvidia/lib64";
constexpr char kWorldFolder[] = "/run/simgpu/world";
constexpr char kEnvWorld[] = "SIMGPU_WORLD";

std::string Under(const char* folder, const std::string& name) {
  return std::string(folder) + "/" + name;
}

}  // namespace

std::string PreloadText() {
  std::string text;
  for (const char* soname : {abi::kCudaSoname, abi::kNvmlSoname})
    text += Under(kInterposerFolder, soname) + "\n";
  return text;
}

platform::ContainerEdits DriverEdits(const ContainerSurroundings& surroundings) {
  platform::ContainerEdits edits;
  for (const std::string& file : surroundings.driver_files)
    edits.mounts.push_back(
        {Under(kDriverFolder, std::filesystem::path(file).filename().string()), file, true});
  for (const std::string& node : surroundings.device_nodes)
    edits.device_nodes.push_back({node, node, "rw"});
  if (surroundings.simulated_world.empty()) return edits;
  edits.mounts.push_back({kWorldFolder, surroundings.simulated_world, false});
  edits.environment.emplace(kEnvWorld, kWorldFolder);
  return edits;
}

Result<ContainerSurroundings> WithDriverNow(ContainerSurroundings surroundings) {
  const std::string& folder = surroundings.driver_folder;
  if (folder.empty() || surroundings.is_driver_by_cdi) return surroundings;
  auto files = platform::DriverFilesIn(surroundings.host, folder);
  if (!files) return Forward(files);
  if (std::ranges::find(*files, folder + "/" + abi::kCudaSoname) == files->end())
    return Fail(Errc::kUnavailable, "there is no " + folder + "/" + abi::kCudaSoname +
                                        " on the host any more: cordon the node until its driver "
                                        "is installed again");
  surroundings.driver_files = std::move(*files);
  return surroundings;
}

bool IsOfDriver(const platform::MountEdit& mount) {
  return mount.container_path.starts_with(std::string(kDriverFolder) + "/");
}

// Our own libraries are plain mounts also beside CDI: the kubelet's record then says which versions
// of them are in use.
platform::ContainerEdits EditsFor(const ContainerSurroundings& surroundings,
                                  const std::string& tenant_side) {
  platform::ContainerEdits edits;
  if (surroundings.is_driver_by_cdi)
    edits.cdi_devices.emplace_back(kCdiDevice);
  else
    edits = DriverEdits(surroundings);
  auto& mounts = edits.mounts;
  // The usage file lies over the folder that cannot be written to.
  mounts.push_back({abi::kFixedTenantDir, tenant_side, true});
  mounts.push_back(
      {Under(abi::kFixedTenantDir, abi::kUsageFile), tenant_side + "/" + abi::kUsageFile, false});
  mounts.push_back({kInterposerFolder, surroundings.interposer_folder, true});
  mounts.push_back({kPreloadPath, surroundings.interposer_folder + "/" + kPreloadFile, true});
  if (!surroundings.simulated_driver_folder.empty())
    mounts.push_back({kDriverFolder, surroundings.simulated_driver_folder, true});
  return edits;
}

}  // namespace warpshare::node

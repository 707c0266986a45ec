#include "apps/warpshare_node/driver_surroundings.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "platform/driver_files/driver_files.h"

namespace warpshare::app {

namespace {

namespace fs = std::filesystem;

// Of the driver's libraries, what programs of CUDA load, directly or through others. The last ones
// carry the driver's version in their names.
constexpr const char* kDriverLibraries[] = {
    "libcuda.so.1",         "libnvidia-ml.so.1",     "libnvidia-ptxjitcompiler.so.1",
    "libcudadebugger.so.1", "libnvidia-nvvm.so.4",   "libnvidia-opencl.so.1",
    "libnvcuvid.so.1",      "libnvidia-encode.so.1", "libnvidia-pkcs11-openssl3.so.",
    "libnvidia-gpucomp.so."};
constexpr const char* kCommonNodes[] = {"/dev/nvidiactl", "/dev/nvidia-uvm",
                                        "/dev/nvidia-uvm-tools"};

// Beside this program, in a build tree and installed alike.
fs::path LibraryFolder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path() / "lib";
}

bool IsThere(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::vector<std::string> DriverFilesIn(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    for (const std::string library : kDriverLibraries)
      if (name == library || (library.back() == '.' && name.starts_with(library)))
        files.push_back(entry->path().string());
  }
  return files;
}

std::vector<std::string> NodesOf(const std::vector<platform::Card>& cards) {
  std::vector<std::string> nodes;
  for (const platform::Card& card : cards)
    nodes.push_back("/dev/nvidia" + std::to_string(card.minor.value_or(card.index)));
  for (const char* node : kCommonNodes)
    if (IsThere(node)) nodes.emplace_back(node);
  return nodes;
}

}  // namespace

Result<NodeDriver> FindNodeDriver(bool is_simulated) {
  if (!is_simulated) {
    const auto found = platform::FindDriver(platform::DriverSearch::FromEnvironment());
    if (!found) return Fail(found.error());
    return NodeDriver{.folder = found->folder, .simulated_world = {}};
  }
  const char* world = std::getenv("SIMGPU_WORLD");
  std::string path = world == nullptr || *world == '\0'
                         ? "/dev/shm/simgpu-" + std::to_string(geteuid())
                         : std::string(world);
  return NodeDriver{.folder = LibraryFolder() / "simgpu", .simulated_world = std::move(path)};
}

Result<node::ContainerSurroundings> SurroundingsOf(const NodeDriver& driver,
                                                   const std::vector<platform::Card>& cards,
                                                   node::LibraryStore& libraries) {
  auto own = node::ReadLibraries(LibraryFolder() / "warpshare");
  if (!own) return Forward(own);
  own->push_back({node::kPreloadFile, node::PreloadText()});
  auto interposer = libraries.Install("warpshare-" WARPSHARE_VERSION, *own);
  if (!interposer) return Forward(interposer);
  node::ContainerSurroundings surroundings{
      .interposer_folder = std::move(*interposer), .driver_files = {}, .device_nodes = {}};
  if (driver.simulated_world.empty()) {
    surroundings.driver_files = DriverFilesIn(driver.folder);
    surroundings.device_nodes = NodesOf(cards);
    return surroundings;
  }
  const auto simulated = node::ReadLibraries(driver.folder);
  if (!simulated) return Fail(simulated.error());
  auto folder = libraries.Install("simgpu-" WARPSHARE_VERSION, *simulated);
  if (!folder) return Forward(folder);
  surroundings.simulated_driver_folder = std::move(*folder);
  surroundings.simulated_world = driver.simulated_world;
  return surroundings;
}

}  // namespace warpshare::app

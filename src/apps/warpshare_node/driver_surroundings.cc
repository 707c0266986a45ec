#include "apps/warpshare_node/driver_surroundings.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "abi/names/env.h"
#include "platform/descriptor/descriptor.h"
#include "platform/driver_files/driver_files.h"
#include "platform/driver_files/driver_share.h"

namespace warpshare::app {

namespace {

namespace fs = std::filesystem;

// Beside this program, in a build tree and installed alike.
fs::path LibraryFolder() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path().parent_path() / "lib";
}

uint32_t MinorOf(const platform::Card& card) { return card.minor.value_or(card.index); }

// The device node of a lost card may be lost, too, and must keep no container from starting.
std::vector<uint32_t> MinorsOf(const platform::HostRoot& host, const NodeCards& cards) {
  std::vector<uint32_t> minors;
  for (const platform::Card& card : cards.readable) minors.push_back(MinorOf(card));
  for (const platform::Card& card : cards.lost)
    if (host.Find("/dev/nvidia" + std::to_string(MinorOf(card)))) minors.push_back(MinorOf(card));
  return minors;
}

Result<NodeDriver> FindRealDriver(const platform::HostRoot& host) {
  const auto found = platform::FindDriver(platform::DriverSearch::FromEnvironment(host));
  if (!found) return Fail(found.error());
  NodeDriver driver{
      .folder = found->folder, .host_folder = found->folder, .host = host, .simulated_world = {}};
  if (!host.is_elsewhere()) return driver;
  // The library itself is past links that only the host can follow, beside one that we can.
  const auto management = host.Find(found->folder + "/" + abi::kNvmlSoname);
  if (!management) return Fail(management.error());
  driver.folder = fs::path(*management).parent_path().string();
  return driver;
}

// Programs of containers write to that folder, too: what they put there is left alone, and above
// all no link is followed.
Result<void> OpenOneToAll(const std::string& path) {
  constexpr mode_t kReadAndWrite = 0666;
  constexpr mode_t kPass = 0111;
  const auto entry = platform::OpenFile(path, O_PATH);
  struct stat status = {};
  if (!entry || fstat(entry->get(), &status) != 0) return {};  // it has gone meanwhile
  const bool is_folder = S_ISDIR(status.st_mode);
  if ((!is_folder && !S_ISREG(status.st_mode)) || status.st_uid != geteuid()) return {};
  const mode_t mode = (status.st_mode & ALLPERMS) | kReadAndWrite | (is_folder ? kPass : 0);
  // The entry that was looked at, whatever is at the path by now.
  const std::string same = "/proc/self/fd/" + std::to_string(entry->get());
  if (chmod(same.c_str(), mode) != 0) return Fail(SystemError("cannot open " + path, errno));
  return {};
}

NodeDriver SimulatedDriver() {
  const char* world = std::getenv("SIMGPU_WORLD");
  std::string path = world == nullptr || *world == '\0'
                         ? "/dev/shm/simgpu-" + std::to_string(geteuid())
                         : std::string(world);
  const std::string folder = LibraryFolder() / "simgpu";
  return {.folder = folder, .host_folder = folder, .host = {}, .simulated_world = std::move(path)};
}

}  // namespace

Result<NodeDriver> FindNodeDriver(const NodeOptions& options) {
  if (options.is_simulated) return SimulatedDriver();
  return FindRealDriver(platform::HostRoot(options.host_root));
}

Result<void> OpenToAll(const NodeDriver& driver) {
  if (driver.simulated_world.empty()) return {};
  std::error_code error;
  // Not what is in its folders: those are made by the programs, and theirs.
  for (const fs::directory_entry& entry : fs::directory_iterator(driver.simulated_world, error))
    if (auto open = OpenOneToAll(entry.path().string()); !open) return open;
  if (error) return Fail(SystemError("cannot read " + driver.simulated_world, error.value()));
  return {};
}

Result<node::ContainerSurroundings> SurroundingsOf(const NodeDriver& driver, const NodeCards& cards,
                                                   node::LibraryStore& libraries) {
  auto own = node::ReadLibraries(LibraryFolder() / "warpshare");
  if (!own) return Forward(own);
  own->push_back({node::kPreloadFile, node::PreloadText()});
  auto interposer = libraries.Install("warpshare-" WARPSHARE_VERSION, *own);
  if (!interposer) return Forward(interposer);
  node::ContainerSurroundings surroundings{
      .interposer_folder = std::move(*interposer), .driver_files = {}, .device_nodes = {}};
  if (driver.simulated_world.empty()) {
    auto share =
        platform::ShareOfDriver(driver.host, driver.host_folder, MinorsOf(driver.host, cards));
    if (!share) return Forward(share);
    surroundings.driver_files = std::move(share->files);
    surroundings.device_nodes = std::move(share->nodes);
    surroundings.host = driver.host;
    surroundings.driver_folder = driver.host_folder;
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

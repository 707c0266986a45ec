#include "node/tenancy/state_dir.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "abi/names/env.h"
#include "platform/region_file/file_lock.h"

namespace warpshare::node {

namespace {

using platform::Descriptor;
using std::chrono::milliseconds;

constexpr milliseconds kLockPatience{10'000};
constexpr milliseconds kLockPause{5};
constexpr mode_t kWritableByOthers = 022;

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<void> CheckOwnership(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0) return Fail(SystemError("cannot look at " + path, errno));
  if (!S_ISDIR(status.st_mode))
    return Fail(Errc::kConflict, path + " is not a folder: remove it, or set " + abi::kEnvStateDir);
  if (status.st_uid != geteuid())
    return Fail(Errc::kPermission, path + " belongs to another user: set " +
                                       std::string(abi::kEnvStateDir) + " to a folder of yours");
  if ((status.st_mode & kWritableByOthers) != 0)
    return Fail(Errc::kPermission,
                "other users can write to " + path + ": run: chmod go-w " + path);
  return {};
}

}  // namespace

Result<void> MakeFolder(const std::string& path, unsigned mode) {
  if (mkdir(path.c_str(), mode) != 0) {
    if (errno == EEXIST) return {};
    return Fail(SystemError("cannot make the folder " + path, errno));
  }
  if (chmod(path.c_str(), mode) != 0)
    return Fail(SystemError("cannot set the mode of " + path, errno));
  return {};
}

std::string StateDir::DefaultPath() {
  if (std::string named = Environment(abi::kEnvStateDir); !named.empty()) return named;
  if (geteuid() == 0) return "/run/warpshare";
  if (std::string runtime = Environment("XDG_RUNTIME_DIR"); !runtime.empty())
    return runtime + "/warpshare";
  return "/tmp/warpshare-" + std::to_string(geteuid());
}

unsigned StateDir::FolderMode() { return geteuid() == 0 ? 0711 : 0700; }

Result<StateDir> StateDir::Open(const std::string& path, IfMissing if_missing) {
  std::error_code error;
  // Tenants get it in their environment and change folders.
  StateDir state(std::filesystem::absolute(path, error).string());
  if (if_missing == IfMissing::kMake) {
    if (auto made = MakeFolder(state.path_, FolderMode()); !made)
      return Fail(made.error().code, made.error().message + ": set " +
                                         std::string(abi::kEnvStateDir) + " to a folder of yours");
  }
  if (auto checked = CheckOwnership(state.path_); !checked) return Forward(checked);
  if (if_missing == IfMissing::kMake) {
    if (auto made = MakeFolder(state.tenants_path(), FolderMode()); !made) return Forward(made);
  }
  return state;
}

Result<Descriptor> StateDir::Lock(platform::Clock& clock) const {
  const std::string path = path_ + "/lock";
  auto file = platform::OpenFile(path, O_RDWR | O_CREAT, 0600);
  if (!file) return Forward(file);
  const auto deadline = clock.Now() + kLockPatience;
  while (true) {
    const auto taken = platform::TryLock(*file, platform::LockMode::kExclusive);
    if (!taken) return Fail(taken.error());
    if (*taken) return std::move(*file);
    if (clock.Now() >= deadline)
      return Fail(Errc::kUnavailable,
                  path + " is held by another warpshare that does not go on: end or continue it");
    clock.Sleep(kLockPause);
  }
}

}  // namespace warpshare::node

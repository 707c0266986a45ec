#include "platform/driver_files/driver_files.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "abi/names/env.h"
#include "platform/descriptor/descriptor.h"
#include "platform/driver_files/elf_file.h"
#include "platform/driver_files/loader_cache.h"

namespace warpshare::platform {

namespace {

constexpr char kOurNote[] = "warpshare";
constexpr size_t kMaxCacheSize = 64 << 20;

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The folder made absolute, if a driver that is not ours lies in it.
std::optional<std::string> DriverIn(const HostRoot& host, const std::string& folder) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(folder, error);
  if (error) return std::nullopt;
  const auto library = host.Find(absolute / abi::kCudaSoname);
  if (!library || access(library->c_str(), R_OK) != 0 || IsOurLibrary(*library))
    return std::nullopt;
  return absolute.string();
}

// Folders between colons; an empty one would mean the current folder, which is nobody's intent.
std::optional<std::string> DriverInAnyOf(const HostRoot& host, const std::string& folders) {
  for (size_t begin = 0; begin < folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    if (end > begin)
      if (auto found = DriverIn(host, folders.substr(begin, end - begin))) return found;
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<std::string> DriverInCache(const HostRoot& host, const std::string& cache_path) {
  const auto here = host.Find(cache_path);
  if (!here) return std::nullopt;
  const auto cache = ReadWholeFile(*here, kMaxCacheSize);
  if (!cache) return std::nullopt;
  for (const std::string& path : FindInLoaderCache(*cache, abi::kCudaSoname))
    if (auto found = DriverIn(host, std::filesystem::path(path).parent_path())) return found;
  return std::nullopt;
}

}  // namespace

DriverSearch DriverSearch::FromEnvironment(const HostRoot& host) {
  return {.named_folder = Environment(abi::kEnvDriverDir),
          .library_path = host.is_elsewhere() ? "" : Environment("LD_LIBRARY_PATH"),
          .loader_cache = kLoaderCache,
          .usual_folders = abi::kUsualDriverFolders,
          .host = host};
}

Result<DriverFiles> FindDriver(const DriverSearch& search) {
  if (!search.named_folder.empty()) {
    if (auto found = DriverIn(search.host, search.named_folder))
      return DriverFiles{.folder = *found, .found_by = abi::kEnvDriverDir};
    return Fail(Errc::kNotFound, "no " + std::string(abi::kCudaSoname) + " in " +
                                     search.named_folder + ": mend or unset " + abi::kEnvDriverDir);
  }
  if (auto found = DriverInAnyOf(search.host, search.library_path))
    return DriverFiles{.folder = *found, .found_by = "LD_LIBRARY_PATH"};
  if (auto found = DriverInCache(search.host, search.loader_cache))
    return DriverFiles{.folder = *found, .found_by = search.loader_cache};
  if (auto found = DriverInAnyOf(search.host, search.usual_folders))
    return DriverFiles{.folder = *found, .found_by = "the usual folders"};
  return Fail(Errc::kNotFound, std::string("no CUDA driver (") + abi::kCudaSoname +
                                   ") on this machine: install it, name its folder in " +
                                   abi::kEnvDriverDir + ", or use --sim");
}

bool IsOurLibrary(const std::string& path) {
  const auto library = ReadElfFile(path);
  return library && std::ranges::find(library->note_names, kOurNote) != library->note_names.end();
}

}  // namespace warpshare::platform

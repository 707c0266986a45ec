#include "policy/admit/host_mounts.h"

#include <algorithm>
#include <string_view>

#include "abi/names/folders.h"
#include "types/printable.h"

namespace warpshare::admit {

namespace {

using Names = std::vector<std::string_view>;

constexpr const char* kOurFolders[] = {abi::kNodeStateFolder, abi::kNodeLibraryFolder};

// From the root on; none for "/".
Names NamesOf(std::string_view path) {
  Names names;
  while (!path.empty()) {
    const size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name == ".." && !names.empty()) names.pop_back();
    if (!name.empty() && name != "." && name != "..") names.push_back(name);
  }
  if (names.size() >= 2 && names[0] == "var" && names[1] == "run") names.erase(names.begin());
  return names;
}

bool BeginsWith(const Names& names, const Names& beginning) {
  return names.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), names.begin());
}

Error Refuse(const HostMount& mount, const std::string& folder, const std::string& mend) {
  return {Errc::kInvalid,
          "container " + Printable(mount.container, 64) + ": could write to the machine's " +
              folder + ", which holds containers to their limits, by the hostPath " +
              Printable(mount.path, 128) + ": mount another folder, or this one " + mend};
}

std::optional<Error> CheckAgainst(const char* folder, const HostMount& mount) {
  const Names ours = NamesOf(folder);
  const Names theirs = NamesOf(mount.path);
  if (BeginsWith(theirs, ours)) {
    if (mount.is_read_only) return std::nullopt;
    return Refuse(mount, folder, "with readOnly: true");
  }
  if (!BeginsWith(ours, theirs) || mount.is_read_only_below) return std::nullopt;
  return Refuse(mount, folder, "with readOnly: true and recursiveReadOnly: Enabled");
}

}  // namespace

std::optional<Error> WritesToOurFolders(const std::vector<HostMount>& mounts) {
  for (const HostMount& mount : mounts)
    for (const char* folder : kOurFolders)
      if (auto error = CheckAgainst(folder, mount)) return error;
  return std::nullopt;
}

}  // namespace warpshare::admit

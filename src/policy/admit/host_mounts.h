// Folders of the machine that a pod's containers see (hostPath), and whether somebody could write
// through one of them to what holds containers to their limits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "result/error.h"

namespace warpshare::admit {

struct HostMount {
  std::string container = {};
  std::string path = {};            // of the machine
  bool is_read_only = false;        // what is mounted, but not file systems mounted below it
  bool is_read_only_below = false;  // these as well
};

// None: none of them reaches warpshare's folders (abi/names/folders.h). A symbolic link on the
// machine may, which nobody can see from here; /var/run is known to be /run.
std::optional<Error> WritesToOurFolders(const std::vector<HostMount>& untrusted_mounts);

}  // namespace warpshare::admit

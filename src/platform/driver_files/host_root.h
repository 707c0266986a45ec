// The host's file system as a container sees it: mounted below a folder. Links in it mean the
// host's own paths, so the kernel would follow them to the wrong place from here.
#pragma once

#include <string>

#include "result/result.h"

namespace warpshare::platform {

class HostRoot {
 public:
  // No mount point: this process is on the host itself.
  HostRoot() = default;
  explicit HostRoot(const std::string& mount_point);

  bool is_elsewhere() const { return !mount_point_.empty(); }

  // Where the file that the host calls so can be opened from here, past all links.
  Result<std::string> Find(const std::string& host_path) const;

 private:
  std::string mount_point_;  // without a slash at its end
};

}  // namespace warpshare::platform

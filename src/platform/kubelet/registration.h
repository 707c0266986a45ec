// How a device plugin makes itself known to the kubelet. A kubelet that starts has forgotten all
// plugins: its socket is made anew then, which whoever registers watches (platform/change_watch).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "result/result.h"

namespace warpshare::platform {

struct PluginRegistration {
  std::string folder;         // the kubelet's device-plugins, where both sockets are
  std::string endpoint;       // name of our socket there; it must be served already
  std::string resource_name;  // "warpshare.io/gpu"
};

std::string KubeletSocket(const std::string& folder);

// The kubelet calls back (options, the list of devices) before this returns, or soon after.
Result<void> RegisterPlugin(const PluginRegistration& registration);

// Which socket is at a path: another one after it was made anew. None: there is none.
struct SocketIdentity {
  uint64_t device;
  uint64_t inode;
  int64_t changed_ns;  // inodes are used again

  bool operator==(const SocketIdentity&) const = default;
};
std::optional<SocketIdentity> IdentifySocket(const std::string& path);

}  // namespace warpshare::platform

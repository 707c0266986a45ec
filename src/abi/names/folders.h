// Folders of a Kubernetes node: warpshare-node writes them, containers get mounts of what is in
// them, and the webhook keeps everybody else from writing there.
#pragma once

namespace warpshare::abi {

// Limits and usage of each container. Beside the command line's own tenants, which have other
// lives. In memory: pages of it are written to all the time, and what the kubelet remembers is made
// again.
inline constexpr char kNodeStateFolder[] = "/run/warpshare-node";

// The libraries that containers load.
inline constexpr char kNodeLibraryFolder[] = "/var/lib/warpshare";

}  // namespace warpshare::abi

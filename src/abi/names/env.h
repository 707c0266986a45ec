// Names that cross a process boundary: environment variables and paths, each spelled once.
#pragma once

namespace warpshare::abi {

// The tenant's directory, set by `warpshare run`. In a container the fixed path wins, so that a
// changed environment cannot lead a process to another directory.
inline constexpr char kEnvTenantDir[] = "WARPSHARE_TENANT_DIR";
inline constexpr char kFixedTenantDir[] = "/run/warpshare/tenant";
inline constexpr char kLimitsFile[] = "limits";
inline constexpr char kUsageFile[] = "usage";

// Directory of the real libcuda.so.1 and libnvidia-ml.so.1, when they are not where the loader
// looks.
inline constexpr char kEnvDriverDir[] = "WARPSHARE_DRIVER_DIR";
// Folders between colons where distributions and container runtimes put them.
inline constexpr char kUsualDriverFolders[] =
    "/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib64:/lib64:/usr/local/nvidia/lib64:"
    "/usr/local/nvidia/lib:/usr/lib/wsl/lib:/run/opengl-driver/lib:/usr/lib:/lib";
inline constexpr char kCudaSoname[] = "libcuda.so.1";
inline constexpr char kNvmlSoname[] = "libnvidia-ml.so.1";

// FILE or FILE:LEVEL (error, info, trace): a readable trace of the interposer, appended to FILE.
inline constexpr char kEnvLog[] = "WARPSHARE_LOG";

// Where `warpshare` keeps its tenants; by default /run/warpshare for root,
// $XDG_RUNTIME_DIR/warpshare or /tmp/warpshare-<uid> for others.
inline constexpr char kEnvStateDir[] = "WARPSHARE_STATE_DIR";

}  // namespace warpshare::abi

// The driver's part of what containers get, as a device of the Container Device Interface: the
// runtime reads a spec file when it makes a container, so that device nodes stay with it whatever
// is done to its cgroup, and other tools see what is handed out.
#pragma once

#include <string>

#include "platform/kubelet/container_edits.h"
#include "result/result.h"

namespace warpshare::node {

inline constexpr char kCdiDevice[] = "warpshare.io/driver=all";

// JSON, version 0.5.0 of the specification, which every runtime that knows CDI takes.
std::string CdiSpec(const platform::ContainerEdits& edits);

// Replaces the file in one step. The folder is made if it is not there.
Result<void> WriteCdiSpec(const std::string& folder, const platform::ContainerEdits& edits);

}  // namespace warpshare::node

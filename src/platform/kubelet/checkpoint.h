// The kubelet's own record of who has which devices, on disk: written before the Allocate of a
// container counts, and kept over restarts of the kubelet and of the machine.
//
// It knows what pod-resources does not tell: init containers, pods by uid, and what was answered to
// Allocate. But it is written when devices are given out only, so pods that are gone may stand in
// it for a while (with devices that nobody else has by then). And its form is the kubelet's own
// matter: 1.20 and later are understood.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platform/kubelet/container_edits.h"
#include "platform/kubelet/device_plugin_server.h"
#include "result/result.h"

namespace warpshare::platform {

struct CheckpointEntry {
  std::string pod_uid;
  std::string container;
  DeviceIds ids;         // sorted
  ContainerEdits edits;  // as Allocate answered

  bool operator==(const CheckpointEntry&) const = default;
};

std::string CheckpointPath(const std::string& plugins_folder);

// Entries of one resource. kNotFound: no such file; a kubelet that never gave out a device has
// none. kCorrupt: not what this version understands.
Result<std::vector<CheckpointEntry>> ReadCheckpoint(const std::string& path,
                                                    const std::string& resource_name);

Result<std::vector<CheckpointEntry>> ParseCheckpoint(std::string_view text,
                                                     const std::string& resource_name);

}  // namespace warpshare::platform

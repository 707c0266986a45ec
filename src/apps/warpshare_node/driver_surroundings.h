// What of the machine's driver, real or simulated, containers are given.
#pragma once

#include <string>
#include <vector>

#include "apps/warpshare_node/node_options.h"
#include "node/device_plugin/container_surroundings.h"
#include "node/device_plugin/library_store.h"
#include "platform/driver_files/host_root.h"
#include "platform/nvml/nvml.h"
#include "result/result.h"

namespace warpshare::app {

struct NodeDriver {
  std::string folder;           // where this process opens libnvidia-ml.so.1
  std::string host_folder;      // has libcuda.so.1; the host's path
  platform::HostRoot host;      // whose path that is
  std::string simulated_world;  // empty: the cards are real
};

Result<NodeDriver> FindNodeDriver(const NodeOptions& options);

// Once the simulated cards are there: lets everybody use them, as the nodes of real ones do, for
// programs in pods need not be root.
Result<void> OpenToAll(const NodeDriver& driver);

struct NodeCards {
  const std::vector<platform::Card>& readable;
  const std::vector<platform::Card>& lost;  // told of before, and not readable now
};

// Copies our libraries where containers may have them from.
Result<node::ContainerSurroundings> SurroundingsOf(const NodeDriver& driver, const NodeCards& cards,
                                                   node::LibraryStore& libraries);

}  // namespace warpshare::app

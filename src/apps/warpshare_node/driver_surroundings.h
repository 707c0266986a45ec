// What of the machine's driver, real or simulated, containers are given.
#pragma once

#include <string>
#include <vector>

#include "node/device_plugin/container_surroundings.h"
#include "node/device_plugin/library_store.h"
#include "platform/nvml/nvml.h"
#include "result/result.h"

namespace warpshare::app {

struct NodeDriver {
  std::string folder;           // has libcuda.so.1
  std::string simulated_world;  // empty: the cards are real
};

Result<NodeDriver> FindNodeDriver(bool is_simulated);

// Copies our libraries where containers may have them from.
Result<node::ContainerSurroundings> SurroundingsOf(const NodeDriver& driver,
                                                   const std::vector<platform::Card>& cards,
                                                   node::LibraryStore& libraries);

}  // namespace warpshare::app

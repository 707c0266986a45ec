// What every container with cards finds inside, and where that is on the host: the interposer, the
// driver, the nodes of the cards, and its own tenant folder. The same for all but the folder: which
// cards it may use is the limits page's matter, since nobody knows yet whose container it will be.
#pragma once

#include <string>
#include <vector>

#include "platform/driver_files/host_root.h"
#include "platform/kubelet/container_edits.h"
#include "result/result.h"

namespace warpshare::node {

struct ContainerSurroundings {
  std::string interposer_folder;          // with kPreloadFile; a versioned one, which never changes
  std::vector<std::string> driver_files;  // mounted one by one; of the host's driver
  std::vector<std::string> device_nodes;  // "/dev/nvidia0"
  // Of simulated cards, instead of the two above; empty: there are real ones.
  std::string simulated_driver_folder = {};
  std::string simulated_world = {};
  bool is_driver_by_cdi = false;   // what DriverEdits has is in a spec file (cdi_spec.h)
  platform::HostRoot host = {};    // whose files those are
  std::string driver_folder = {};  // of driver_files; empty: they stay as they are
};

// Names the libraries by their paths in the container. Found by the loader whatever the environment
// says, in every program that has a loader and is not linked with musl.
inline constexpr char kPreloadFile[] = "ld.so.preload";
std::string PreloadText();

// The driver's part, the same for every container: files of the host that are in no library store.
platform::ContainerEdits DriverEdits(const ContainerSurroundings& surroundings);

// With the driver's files as they are by now: an upgrade of the driver may have given them other
// names. Fails where it has none any more.
Result<ContainerSurroundings> WithDriverNow(ContainerSurroundings surroundings);

// Is it one of the driver's files?
bool IsOfDriver(const platform::MountEdit& mount);

platform::ContainerEdits EditsFor(const ContainerSurroundings& surroundings,
                                  const std::string& tenant_side);

}  // namespace warpshare::node

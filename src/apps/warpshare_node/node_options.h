// What the flags said.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "abi/names/folders.h"
#include "node/tenancy/state_dir.h"

namespace warpshare::app {

struct NodeOptions {
  bool is_local = false;
  std::string kubelet_folder;  // empty: no kubelet
  std::string state_dir;       // empty: the mode's own
  std::string log;             // empty: standard error
  // Local mode.
  double linger_seconds = 30;
  int ready_fd = -1;
  // Kubelet mode.
  std::string install_dir = abi::kNodeLibraryFolder;
  std::string host_root;  // where the host's file system is; empty: here
  std::string node_name;
  std::string kubeconfig;  // empty: as a pod of the cluster
  std::string pods_file;   // not empty: in place of an API server
  std::string metrics_address = "::";
  std::optional<uint16_t> metrics_port;
  std::string cdi_folder;  // not empty: a CDI spec file there for the driver's part
  uint32_t split = 16;
  bool is_simulated = false;
};

}  // namespace warpshare::app

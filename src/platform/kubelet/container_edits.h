// What a device plugin adds to a container that gets its devices. The kubelet keeps it as it was
// answered: what it names on the host must be there whenever the container starts again.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace warpshare::platform {

struct MountEdit {
  std::string container_path;
  std::string host_path;
  bool read_only;

  bool operator==(const MountEdit&) const = default;
};

struct DeviceNodeEdit {
  std::string container_path;
  std::string host_path;
  std::string permissions;  // of "rwm"

  bool operator==(const DeviceNodeEdit&) const = default;
};

struct ContainerEdits {
  std::map<std::string, std::string> environment = {};
  std::vector<MountEdit> mounts = {};
  std::vector<DeviceNodeEdit> device_nodes = {};
  std::map<std::string, std::string> annotations = {};
  std::vector<std::string> cdi_devices = {};  // "vendor/class=name"

  bool operator==(const ContainerEdits&) const = default;
};

}  // namespace warpshare::platform

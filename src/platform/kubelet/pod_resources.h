// Which container has which devices, as the kubelet tells whoever asks (pod-resources API, v1).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/kubelet/device_plugin_server.h"
#include "result/result.h"

namespace warpshare::platform {

struct ContainerDevices {
  std::string container;
  DeviceIds ids;  // of the resource that was asked for
};

struct PodDevices {
  std::string name_space;
  std::string name;
  std::vector<ContainerDevices> containers;  // only those that have some
};

class PodResources {
 public:
  virtual ~PodResources() = default;

  // All pods of the node that have not ended, also those without devices. Init containers are left
  // out, except those that go on beside the others (sidecars). kUnavailable: the kubelet is not
  // there, or was asked too often (it answers 100 times a second).
  virtual Result<std::vector<PodDevices>> List() = 0;
};

// At pod-resources/kubelet.sock in the kubelet's folder, when it is asked.
std::unique_ptr<PodResources> MakePodResources(const std::string& socket_path,
                                               const std::string& resource_name);

}  // namespace warpshare::platform

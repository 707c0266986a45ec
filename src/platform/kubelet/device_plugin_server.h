// A device plugin as the kubelet meets it: a gRPC server on a unix socket. What is answered is a
// handler's matter; what is on the wire stays inside.
//
// The kubelet removes all sockets of its folder when it starts: a server whose socket is gone is
// started anew and registered again (registration.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/kubelet/container_edits.h"
#include "result/result.h"

namespace warpshare::platform {

using DeviceIds = std::vector<std::string>;

struct PluginDevice {
  std::string id;  // at most 63 characters
  bool is_healthy;
  std::optional<int64_t> numa_node;

  bool operator==(const PluginDevice&) const = default;
};

struct DeviceChoice {
  DeviceIds available;
  DeviceIds must_include;  // also among the available ones
  size_t size;             // how many in all
};

// Called from several threads at once. A message of an error ends up in the pod's events.
class DevicePluginHandler {
 public:
  virtual ~DevicePluginHandler() = default;

  // Only a wish: the kubelet may take others. Fewer than asked for: it fills up.
  virtual DeviceIds Prefer(const DeviceChoice& choice) = 0;

  // For one container, when its pod is admitted: once, unlike its starts. An error fails the pod
  // for good. Nobody says whose devices they will be.
  virtual Result<ContainerEdits> Allocate(const DeviceIds& ids) = 0;

  // Before each start of the container that has these devices; within 30 s. After an error the
  // container does not start, and the kubelet tries again.
  virtual Result<void> BeforeStart(const DeviceIds& ids) = 0;
};

class DevicePluginServer {
 public:
  // Makes the socket, in place of one that is there. The handler must outlive the server.
  static Result<std::unique_ptr<DevicePluginServer>> Start(const std::string& socket_path,
                                                           DevicePluginHandler& handler);
  // Waits for calls that are being answered, and removes what is at the path of its socket then.
  virtual ~DevicePluginServer() = default;

  // The devices of the node from now on; told to every kubelet that listens.
  virtual void SetDevices(std::vector<PluginDevice> devices) = 0;
};

}  // namespace warpshare::platform

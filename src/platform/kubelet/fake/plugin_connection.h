// A kubelet's connection to one plugin: it listens to the plugin's devices, and calls it.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "platform/kubelet/container_edits.h"
#include "platform/kubelet/device_plugin_server.h"
#include "platform/kubelet/proto/device_plugin.grpc.pb.h"
#include "result/result.h"

namespace warpshare::platform {

class PluginConnection {
 public:
  explicit PluginConnection(const std::string& socket_path);
  ~PluginConnection();

  // Waits until the plugin's devices are such; false: not within half a minute.
  bool Await(const std::function<bool(const std::vector<PluginDevice>&)>& are_such);
  std::vector<PluginDevice> Devices();

  DeviceIds Prefer(const DeviceChoice& choice);
  // The answer as it was on the wire: what goes to the checkpoint.
  Result<v1beta1::ContainerAllocateResponse> Allocate(const DeviceIds& ids);
  Result<void> PreStart(const DeviceIds& ids);

 private:
  void Listen();

  std::unique_ptr<v1beta1::DevicePlugin::Stub> stub_;
  grpc::ClientContext listening_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<PluginDevice> devices_;
  std::thread listener_;
};

}  // namespace warpshare::platform

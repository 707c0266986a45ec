// A kubelet's device manager for tests: real gRPC on unix sockets in a folder of the test's own,
// and its checkpoint file. It gives out devices as the real one (1.36) does, init containers'
// devices to the pod's ordinary containers again included; it starts no containers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "platform/kubelet/container_edits.h"
#include "platform/kubelet/device_plugin_server.h"
#include "result/result.h"

namespace warpshare::platform {

struct FakeContainer {
  std::string name;
  size_t devices;
  enum class Kind { kOrdinary, kInit, kSidecar } kind = Kind::kOrdinary;
};

struct FakePod {
  std::string uid;
  std::string name;  // in the namespace "default"
  std::vector<FakeContainer> containers;
};

// May be called from several threads; Admit is one after the other, as in the kubelet.
class FakeKubelet {
 public:
  explicit FakeKubelet(const std::string& folder);
  ~FakeKubelet();

  std::string plugins_folder() const { return folder_ + "/device-plugins"; }
  std::string pod_resources_socket() const { return folder_ + "/pod-resources/kubelet.sock"; }

  // Stops, and starts again: plugins and sockets are forgotten, pods and checkpoint are not.
  void Restart();
  void StopPodResources();

  // Waits for a plugin that registered and has such devices.
  bool AwaitDevices(const std::function<bool(const std::vector<PluginDevice>&)>& are_such);
  bool AwaitHealthy(size_t count);
  // Waits until plugins have registered so many times.
  bool AwaitRegistrations(size_t count);
  size_t registrations() const;

  // Gives devices to all containers, or fails the pod.
  Result<void> Admit(const FakePod& pod);

  // As before each start: what is added to the container, once the plugin lets it start.
  Result<ContainerEdits> StartContainer(const std::string& pod_uid, const std::string& container);

  void Remove(const std::string& pod_uid);

  // Its devices count as free from now on, as they do in the real one when a pod's end is noticed
  // while another's Allocate runs.
  void ForgetDevicesOf(const std::string& pod_uid);
  DeviceIds DevicesOf(const std::string& pod_uid, const std::string& container) const;

 private:
  struct State;
  void Start();
  void StartPodResources();

  const std::string folder_;
  std::unique_ptr<State> state_;
};

}  // namespace warpshare::platform

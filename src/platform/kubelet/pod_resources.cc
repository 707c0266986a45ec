#include "platform/kubelet/pod_resources.h"

#include <chrono>

#include "platform/kubelet/proto/pod_resources.grpc.pb.h"
#include "platform/kubelet/rpc.h"

namespace warpshare::platform {

namespace {

// Of the 30 s that a container's start may be kept waiting.
constexpr std::chrono::milliseconds kPatience{5'000};

DeviceIds IdsOf(const v1::ContainerResources& container, const std::string& resource_name) {
  DeviceIds ids;
  // One entry for each NUMA node that they are on.
  for (const v1::ContainerDevices& devices : container.devices())
    if (devices.resource_name() == resource_name)
      ids.insert(ids.end(), devices.device_ids().begin(), devices.device_ids().end());
  return ids;
}

PodDevices FromWire(const v1::PodResources& wire, const std::string& resource_name) {
  PodDevices pod{.name_space = wire.namespace_(), .name = wire.name(), .containers = {}};
  for (const v1::ContainerResources& container : wire.containers()) {
    DeviceIds ids = IdsOf(container, resource_name);
    if (!ids.empty()) pod.containers.push_back({container.name(), std::move(ids)});
  }
  return pod;
}

class Client final : public PodResources {
 public:
  Client(std::string socket_path, std::string resource_name)
      : socket_path_(std::move(socket_path)), resource_name_(std::move(resource_name)) {}

  Result<std::vector<PodDevices>> List() override {
    const auto stub = v1::PodResourcesLister::NewStub(kubelet::ChannelTo(socket_path_));
    grpc::ClientContext context;
    kubelet::SetDeadline(context, kPatience);
    v1::ListPodResourcesResponse response;
    const grpc::Status status = stub->List(&context, {}, &response);
    if (!status.ok()) return Fail(kubelet::ErrorOf("cannot ask " + socket_path_, status));
    std::vector<PodDevices> pods;
    for (const v1::PodResources& pod : response.pod_resources())
      pods.push_back(FromWire(pod, resource_name_));
    return pods;
  }

 private:
  const std::string socket_path_;
  const std::string resource_name_;
};

}  // namespace

std::unique_ptr<PodResources> MakePodResources(const std::string& socket_path,
                                               const std::string& resource_name) {
  return std::make_unique<Client>(socket_path, resource_name);
}

}  // namespace warpshare::platform

#include "platform/kubelet/fake/plugin_connection.h"

#include <chrono>

#include "platform/kubelet/rpc.h"
#include "platform/kubelet/wire.h"

namespace warpshare::platform {

namespace {

constexpr std::chrono::seconds kPatience{30};

PluginDevice FromWire(const v1beta1::Device& wire) {
  PluginDevice device{
      .id = wire.id(), .is_healthy = wire.health() == kubelet::kHealthy, .numa_node = std::nullopt};
  if (wire.topology().nodes_size() == 1) device.numa_node = wire.topology().nodes(0).id();
  return device;
}

}  // namespace

PluginConnection::PluginConnection(const std::string& socket_path)
    : stub_(v1beta1::DevicePlugin::NewStub(kubelet::ChannelTo(socket_path))),
      listener_([this] { Listen(); }) {}

PluginConnection::~PluginConnection() {
  listening_.TryCancel();
  listener_.join();
}

void PluginConnection::Listen() {
  const auto stream = stub_->ListAndWatch(&listening_, {});
  v1beta1::ListAndWatchResponse response;
  while (stream->Read(&response)) {
    const std::scoped_lock held(mutex_);
    devices_.clear();
    for (const v1beta1::Device& device : response.devices()) devices_.push_back(FromWire(device));
    changed_.notify_all();
  }
  (void)stream->Finish();
}

bool PluginConnection::Await(
    const std::function<bool(const std::vector<PluginDevice>&)>& are_such) {
  std::unique_lock held(mutex_);
  return changed_.wait_for(held, kPatience, [&] { return are_such(devices_); });
}

std::vector<PluginDevice> PluginConnection::Devices() {
  const std::scoped_lock held(mutex_);
  return devices_;
}

DeviceIds PluginConnection::Prefer(const DeviceChoice& choice) {
  v1beta1::PreferredAllocationRequest request;
  auto* container = request.add_container_requests();
  container->mutable_available_deviceids()->Assign(choice.available.begin(),
                                                   choice.available.end());
  container->mutable_must_include_deviceids()->Assign(choice.must_include.begin(),
                                                      choice.must_include.end());
  container->set_allocation_size(static_cast<int32_t>(choice.size));
  grpc::ClientContext context;
  kubelet::SetDeadline(context, kPatience);
  v1beta1::PreferredAllocationResponse response;
  const auto status = stub_->GetPreferredAllocation(&context, request, &response);
  if (!status.ok() || response.container_responses_size() != 1) return {};
  const auto& ids = response.container_responses(0).deviceids();
  return DeviceIds(ids.begin(), ids.end());
}

Result<v1beta1::ContainerAllocateResponse> PluginConnection::Allocate(const DeviceIds& ids) {
  v1beta1::AllocateRequest request;
  request.add_container_requests()->mutable_devices_ids()->Assign(ids.begin(), ids.end());
  grpc::ClientContext context;
  kubelet::SetDeadline(context, kPatience);
  v1beta1::AllocateResponse response;
  const auto status = stub_->Allocate(&context, request, &response);
  if (!status.ok()) return Fail(kubelet::ErrorOf("Allocate", status));
  if (response.container_responses_size() != 1)
    return Fail(Errc::kCorrupt, "Allocate: not one answer for one container");
  return response.container_responses(0);
}

Result<void> PluginConnection::PreStart(const DeviceIds& ids) {
  v1beta1::PreStartContainerRequest request;
  request.mutable_devices_ids()->Assign(ids.begin(), ids.end());
  grpc::ClientContext context;
  kubelet::SetDeadline(context, kPatience);
  v1beta1::PreStartContainerResponse response;
  const auto status = stub_->PreStartContainer(&context, request, &response);
  if (!status.ok()) return Fail(kubelet::ErrorOf("PreStartContainer", status));
  return {};
}

}  // namespace warpshare::platform

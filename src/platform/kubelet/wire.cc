#include "platform/kubelet/wire.h"

namespace warpshare::platform::kubelet {

v1beta1::DevicePluginOptions OwnOptions() {
  v1beta1::DevicePluginOptions options;
  options.set_pre_start_required(true);
  options.set_get_preferred_allocation_available(true);
  return options;
}

v1beta1::ListAndWatchResponse ToWire(const std::vector<PluginDevice>& devices) {
  v1beta1::ListAndWatchResponse wire;
  for (const PluginDevice& device : devices) {
    v1beta1::Device* entry = wire.add_devices();
    entry->set_id(device.id);
    entry->set_health(device.is_healthy ? kHealthy : kUnhealthy);
    if (device.numa_node) entry->mutable_topology()->add_nodes()->set_id(*device.numa_node);
  }
  return wire;
}

v1beta1::ContainerAllocateResponse ToWire(const ContainerEdits& edits) {
  v1beta1::ContainerAllocateResponse wire;
  for (const auto& [name, value] : edits.environment) (*wire.mutable_envs())[name] = value;
  for (const auto& [name, value] : edits.annotations) (*wire.mutable_annotations())[name] = value;
  for (const MountEdit& mount : edits.mounts) {
    v1beta1::Mount* entry = wire.add_mounts();
    entry->set_container_path(mount.container_path);
    entry->set_host_path(mount.host_path);
    entry->set_read_only(mount.read_only);
  }
  for (const DeviceNodeEdit& node : edits.device_nodes) {
    v1beta1::DeviceSpec* entry = wire.add_devices();
    entry->set_container_path(node.container_path);
    entry->set_host_path(node.host_path);
    entry->set_permissions(node.permissions);
  }
  for (const std::string& name : edits.cdi_devices) wire.add_cdi_devices()->set_name(name);
  return wire;
}

ContainerEdits FromWire(const v1beta1::ContainerAllocateResponse& wire) {
  ContainerEdits edits;
  edits.environment.insert(wire.envs().begin(), wire.envs().end());
  edits.annotations.insert(wire.annotations().begin(), wire.annotations().end());
  for (const v1beta1::Mount& mount : wire.mounts())
    edits.mounts.push_back({mount.container_path(), mount.host_path(), mount.read_only()});
  for (const v1beta1::DeviceSpec& node : wire.devices())
    edits.device_nodes.push_back({node.container_path(), node.host_path(), node.permissions()});
  for (const v1beta1::CDIDevice& device : wire.cdi_devices())
    edits.cdi_devices.push_back(device.name());
  return edits;
}

}  // namespace warpshare::platform::kubelet

// Plain values to messages and back. Inside of the room only.
#pragma once

#include "platform/kubelet/container_edits.h"
#include "platform/kubelet/device_plugin_server.h"
#include "platform/kubelet/proto/device_plugin.pb.h"

namespace warpshare::platform::kubelet {

inline constexpr char kHealthy[] = "Healthy";
inline constexpr char kUnhealthy[] = "Unhealthy";
inline constexpr char kVersion[] = "v1beta1";

// Which of the API's calls we answer.
v1beta1::DevicePluginOptions OwnOptions();

v1beta1::ListAndWatchResponse ToWire(const std::vector<PluginDevice>& devices);
v1beta1::ContainerAllocateResponse ToWire(const ContainerEdits& edits);
ContainerEdits FromWire(const v1beta1::ContainerAllocateResponse& wire);

}  // namespace warpshare::platform::kubelet

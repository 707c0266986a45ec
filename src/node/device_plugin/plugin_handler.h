// What warpshare answers the kubelet.
#pragma once

#include <string>

#include "node/device_plugin/container_start.h"
#include "node/device_plugin/container_surroundings.h"
#include "node/device_plugin/readiness.h"
#include "platform/kubelet/device_plugin_server.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

class PluginHandler final : public platform::DevicePluginHandler {
 public:
  struct Ports {
    ContainerStart& starts;
    AssignmentSource& source;
    Readiness& readiness;  // counts here
    platform::Clock& clock;
    platform::Log& log;
  };
  PluginHandler(StateDir state, ContainerSurroundings surroundings, const Ports& ports)
      : state_(std::move(state)), surroundings_(std::move(surroundings)), ports_(ports) {}

  platform::DeviceIds Prefer(const platform::DeviceChoice& choice) override;
  Result<platform::ContainerEdits> Allocate(const platform::DeviceIds& ids) override;
  Result<void> BeforeStart(const platform::DeviceIds& ids) override;

 private:
  std::vector<GpuUuid> CardsExpected(size_t count) const;

  const StateDir state_;
  const ContainerSurroundings surroundings_;
  const Ports ports_;
};

}  // namespace warpshare::node

// Keeps the plugin known to the kubelet: a server on a socket in the kubelet's folder, registered,
// and both anew when the kubelet starts again or the socket is gone.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/change_watch/change_watch.h"
#include "platform/clock/clock.h"
#include "platform/kubelet/device_plugin_server.h"
#include "platform/kubelet/registration.h"
#include "platform/log_file/log_file.h"

namespace warpshare::node {

class PluginRegistrar {
 public:
  struct Ports {
    platform::DevicePluginHandler& handler;
    platform::ChangeWatch& watch;  // of this object alone
    platform::Clock& clock;
    platform::Log& log;
  };
  PluginRegistrar(platform::PluginRegistration registration, const Ports& ports);

  void SetDevices(const std::vector<platform::PluginDevice>& devices);

  // Looks whether there is something to do, and does it. To be called when the watch says so, and
  // every few seconds: a kubelet that is not there yet is tried again.
  void Look();

  // With the kubelet that is there now.
  bool IsRegistered() const;

 private:
  void WatchFolder();
  Result<void> Register();
  void LogOnce(const std::string& text);

  const platform::PluginRegistration registration_;
  const Ports ports_;
  const std::string socket_path_;
  std::vector<platform::PluginDevice> devices_;
  std::unique_ptr<platform::DevicePluginServer> server_;
  // The sockets as they were when it registered.
  std::optional<platform::SocketIdentity> kubelet_;
  std::optional<platform::SocketIdentity> own_;
  std::string logged_;
  bool is_watched_ = false;
};

}  // namespace warpshare::node

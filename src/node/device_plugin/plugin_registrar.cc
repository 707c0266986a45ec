#include "node/device_plugin/plugin_registrar.h"

#include <utility>

#include "platform/log_file/log_words.h"

namespace warpshare::node {

using platform::IdentifySocket;

PluginRegistrar::PluginRegistrar(platform::PluginRegistration registration, const Ports& ports)
    : registration_(std::move(registration)),
      ports_(ports),
      socket_path_(registration_.folder + "/" + registration_.endpoint) {}

void PluginRegistrar::SetDevices(const std::vector<platform::PluginDevice>& devices) {
  if (devices == devices_) return;
  devices_ = devices;
  if (server_) server_->SetDevices(devices_);
}

bool PluginRegistrar::IsRegistered() const {
  return kubelet_ && kubelet_ == IdentifySocket(platform::KubeletSocket(registration_.folder)) &&
         own_ == IdentifySocket(socket_path_);
}

void PluginRegistrar::Look() {
  WatchFolder();
  ports_.watch.Acknowledge();
  if (IsRegistered()) return;
  const auto registered = Register();
  LogOnce(registered ? platform::LogText("registered", {{"resource", registration_.resource_name}})
                     : platform::LogText("not registered", {{"reason", registered.error()}}));
}

// The folder may come after us.
void PluginRegistrar::WatchFolder() {
  if (!is_watched_) is_watched_ = ports_.watch.WatchFolder(registration_.folder).has_value();
}

Result<void> PluginRegistrar::Register() {
  kubelet_.reset();
  // Looked at before: if it is replaced while we register, that is seen.
  const auto kubelet = IdentifySocket(platform::KubeletSocket(registration_.folder));
  if (!kubelet) return Fail(Errc::kUnavailable, "no kubelet in " + registration_.folder);
  if (!server_ || own_ != IdentifySocket(socket_path_)) {
    server_.reset();
    auto server = platform::DevicePluginServer::Start(socket_path_, ports_.handler);
    if (!server) return Forward(server);
    server_ = std::move(*server);
    server_->SetDevices(devices_);
    own_ = IdentifySocket(socket_path_);
  }
  if (auto registered = platform::RegisterPlugin(registration_); !registered) return registered;
  kubelet_ = kubelet;
  return {};
}

void PluginRegistrar::LogOnce(const std::string& text) {
  // Registering again is news, failing again is not.
  if (text == logged_ && !kubelet_) return;
  logged_ = text;
  ports_.log.Line(text);
}

}  // namespace warpshare::node

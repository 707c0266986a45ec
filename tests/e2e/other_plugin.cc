// Stands for NVIDIA's device plugin: gives away the devices that a file names, one a line, and
// gives containers nothing with them. The file may change.
//
//   other_plugin KUBELETS_PLUGINS_FOLDER RESOURCE FILE
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "platform/kubelet/device_plugin_server.h"
#include "platform/kubelet/registration.h"

namespace {

using namespace warpshare;  // NOLINT(google-build-using-namespace): a program of one page

constexpr char kEndpoint[] = "other.sock";
constexpr unsigned kLookEveryUs = 100'000;

struct Handler final : platform::DevicePluginHandler {
  platform::DeviceIds Prefer(const platform::DeviceChoice&) override { return {}; }
  Result<platform::ContainerEdits> Allocate(const platform::DeviceIds&) override {
    return platform::ContainerEdits();
  }
  Result<void> BeforeStart(const platform::DeviceIds&) override { return {}; }
};

std::vector<platform::PluginDevice> DevicesIn(const std::string& path) {
  std::vector<platform::PluginDevice> devices;
  std::ifstream file(path);
  for (std::string id; std::getline(file, id);) devices.push_back({id, true, std::nullopt});
  return devices;
}

int Fail(const std::string& message) {
  std::fprintf(stderr, "other_plugin: %s\n", message.c_str());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return Fail("usage: other_plugin FOLDER RESOURCE FILE");
  const std::string folder = argv[1];
  Handler handler;
  auto server = platform::DevicePluginServer::Start(folder + "/" + kEndpoint, handler);
  if (!server) return Fail(server.error().message);
  auto devices = DevicesIn(argv[3]);
  (*server)->SetDevices(devices);
  const auto registered =
      platform::RegisterPlugin({.folder = folder, .endpoint = kEndpoint, .resource_name = argv[2]});
  if (!registered) return Fail(registered.error().message);
  for (;; usleep(kLookEveryUs)) {
    auto now = DevicesIn(argv[3]);
    if (now == devices) continue;
    devices = std::move(now);
    (*server)->SetDevices(devices);
  }
}

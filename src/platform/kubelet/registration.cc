#include "platform/kubelet/registration.h"

#include <sys/stat.h>

#include <chrono>

#include "platform/kubelet/proto/device_plugin.grpc.pb.h"
#include "platform/kubelet/rpc.h"
#include "platform/kubelet/wire.h"

namespace warpshare::platform {

namespace {

// The kubelet connects to our socket before it answers, and gives itself 10 s for it.
constexpr std::chrono::milliseconds kPatience{12'000};

}  // namespace

std::string KubeletSocket(const std::string& folder) { return folder + "/kubelet.sock"; }

Result<void> RegisterPlugin(const PluginRegistration& registration) {
  const std::string socket = KubeletSocket(registration.folder);
  const auto stub = v1beta1::Registration::NewStub(kubelet::ChannelTo(socket));
  v1beta1::RegisterRequest request;
  request.set_version(kubelet::kVersion);
  request.set_endpoint(registration.endpoint);
  request.set_resource_name(registration.resource_name);
  *request.mutable_options() = kubelet::OwnOptions();
  grpc::ClientContext context;
  kubelet::SetDeadline(context, kPatience);
  v1beta1::Empty nothing;
  const grpc::Status status = stub->Register(&context, request, &nothing);
  if (!status.ok())
    return Fail(kubelet::ErrorOf("cannot register " + registration.resource_name + " at " + socket,
                                 status));
  return {};
}

std::optional<SocketIdentity> IdentifySocket(const std::string& path) {
  struct stat status = {};
  if (lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return std::nullopt;
  constexpr int64_t kNsPerSecond = 1'000'000'000;
  return SocketIdentity{
      .device = status.st_dev,
      .inode = status.st_ino,
      .changed_ns = status.st_ctim.tv_sec * kNsPerSecond + status.st_ctim.tv_nsec};
}

}  // namespace warpshare::platform

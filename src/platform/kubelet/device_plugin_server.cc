#include "platform/kubelet/device_plugin_server.h"

#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "platform/kubelet/proto/device_plugin.grpc.pb.h"
#include "platform/kubelet/rpc.h"
#include "platform/kubelet/wire.h"

namespace warpshare::platform {

namespace {

using grpc::ServerContext;
using grpc::Status;
using kubelet::StatusOf;

// A listener that went away is noticed within this time; a thread waits for it so long.
constexpr std::chrono::milliseconds kCancelCheck{500};
constexpr std::chrono::milliseconds kShutdownPatience{2'000};

// The current list of devices, and those who wait for the next.
class DeviceList {
 public:
  void Set(std::vector<PluginDevice> devices) {
    const std::scoped_lock held(mutex_);
    devices_ = std::move(devices);
    ++version_;
    changed_.notify_all();
  }

  void End() {
    const std::scoped_lock held(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }

  // None: it has ended, or nothing newer than `seen` came within the time.
  std::optional<std::vector<PluginDevice>> Next(uint64_t& seen, bool& has_ended) {
    std::unique_lock held(mutex_);
    changed_.wait_for(held, kCancelCheck, [&] { return has_ended_ || version_ > seen; });
    has_ended = has_ended_;
    if (has_ended_ || version_ <= seen) return std::nullopt;
    seen = version_;
    return devices_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<PluginDevice> devices_;
  uint64_t version_ = 0;  // 0: none set yet, and nothing to tell
  bool has_ended_ = false;
};

template <typename Ids>
DeviceIds ToIds(const Ids& wire) {
  return DeviceIds(wire.begin(), wire.end());
}

class Service final : public v1beta1::DevicePlugin::Service {
 public:
  explicit Service(DevicePluginHandler& handler) : handler_(handler) {}

  DeviceList& devices() { return devices_; }

  Status GetDevicePluginOptions(ServerContext*, const v1beta1::Empty*,
                                v1beta1::DevicePluginOptions* options) override {
    *options = kubelet::OwnOptions();
    return Status::OK;
  }

  Status ListAndWatch(ServerContext* context, const v1beta1::Empty*,
                      grpc::ServerWriter<v1beta1::ListAndWatchResponse>* writer) override {
    uint64_t seen = 0;
    bool has_ended = false;
    while (!has_ended && !context->IsCancelled()) {
      const auto devices = devices_.Next(seen, has_ended);
      if (devices && !writer->Write(kubelet::ToWire(*devices))) break;
    }
    return Status::OK;
  }

  Status GetPreferredAllocation(ServerContext*, const v1beta1::PreferredAllocationRequest* request,
                                v1beta1::PreferredAllocationResponse* response) override {
    for (const auto& container : request->container_requests()) {
      const auto size = container.allocation_size();
      const DeviceIds ids =
          handler_.Prefer({.available = ToIds(container.available_deviceids()),
                           .must_include = ToIds(container.must_include_deviceids()),
                           .size = size > 0 ? static_cast<size_t>(size) : 0});
      response->add_container_responses()->mutable_deviceids()->Assign(ids.begin(), ids.end());
    }
    return Status::OK;
  }

  Status Allocate(ServerContext*, const v1beta1::AllocateRequest* request,
                  v1beta1::AllocateResponse* response) override {
    for (const auto& container : request->container_requests()) {
      const auto edits = handler_.Allocate(ToIds(container.devices_ids()));
      if (!edits) return StatusOf(edits.error());
      *response->add_container_responses() = kubelet::ToWire(*edits);
    }
    return Status::OK;
  }

  Status PreStartContainer(ServerContext*, const v1beta1::PreStartContainerRequest* request,
                           v1beta1::PreStartContainerResponse*) override {
    const auto may_start = handler_.BeforeStart(ToIds(request->devices_ids()));
    return may_start ? Status::OK : StatusOf(may_start.error());
  }

 private:
  DevicePluginHandler& handler_;
  DeviceList devices_;
};

class Server final : public DevicePluginServer {
 public:
  explicit Server(DevicePluginHandler& handler) : service_(handler) {}

  bool Listen(const std::string& socket_path) {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("unix://" + socket_path, grpc::InsecureServerCredentials());
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    return server_ != nullptr;
  }

  ~Server() override {
    service_.devices().End();
    if (server_) server_->Shutdown(std::chrono::system_clock::now() + kShutdownPatience);
  }

  void SetDevices(std::vector<PluginDevice> devices) override {
    service_.devices().Set(std::move(devices));
  }

 private:
  Service service_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace

Result<std::unique_ptr<DevicePluginServer>> DevicePluginServer::Start(
    const std::string& socket_path, DevicePluginHandler& handler) {
  unlink(socket_path.c_str());
  auto server = std::make_unique<Server>(handler);
  if (!server->Listen(socket_path))
    return Fail(Errc::kSystem, "cannot listen on " + socket_path + ": is its folder there?");
  return server;
}

}  // namespace warpshare::platform

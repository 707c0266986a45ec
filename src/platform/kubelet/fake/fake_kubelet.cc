#include "platform/kubelet/fake/fake_kubelet.h"

#include <google/protobuf/util/json_util.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <set>

#include "platform/kubelet/checkpoint.h"
#include "platform/kubelet/fake/plugin_connection.h"
#include "platform/kubelet/proto/checkpoint.pb.h"
#include "platform/kubelet/proto/pod_resources.grpc.pb.h"
#include "platform/kubelet/registration.h"
#include "platform/kubelet/wire.h"

namespace warpshare::platform {

namespace {

namespace fs = std::filesystem;
using grpc::Status;

constexpr std::chrono::seconds kPatience{30};

struct Allocation {
  DeviceIds ids;
  v1beta1::ContainerAllocateResponse answer;
};

// What a pod has, by container.
struct AdmittedPod {
  FakePod pod;
  std::map<std::string, Allocation> containers;
  bool is_forgotten = false;
};

std::unique_ptr<grpc::Server> Serve(const std::string& socket, grpc::Service& service) {
  fs::remove(socket);
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix://" + socket, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  return builder.BuildAndStart();
}

// Without waiting for others to close their connections.
void EndNow(grpc::Server& server) { server.Shutdown(std::chrono::system_clock::now()); }

}  // namespace

struct FakeKubelet::State final : v1beta1::Registration::Service, v1::PodResourcesLister::Service {
  explicit State(std::string plugins) : plugins_folder(std::move(plugins)) {}

  Status Register(grpc::ServerContext*, const v1beta1::RegisterRequest* request,
                  v1beta1::Empty*) override {
    const std::scoped_lock held(mutex);
    if (request->version() != kubelet::kVersion)
      return {grpc::StatusCode::INVALID_ARGUMENT, "version"};
    resource_name = request->resource_name();
    plugin = std::make_shared<PluginConnection>(plugins_folder + "/" + request->endpoint());
    ++registrations;
    registered.notify_all();
    return Status::OK;
  }

  Status List(grpc::ServerContext*, const v1::ListPodResourcesRequest*,
              v1::ListPodResourcesResponse* response) override {
    const std::scoped_lock held(mutex);
    for (const auto& [uid, admitted] : pods) {
      v1::PodResources* pod = response->add_pod_resources();
      pod->set_name(admitted.pod.name);
      pod->set_namespace_("default");
      for (const FakeContainer& container : admitted.pod.containers) {
        if (container.kind == FakeContainer::Kind::kInit) continue;
        v1::ContainerResources* entry = pod->add_containers();
        entry->set_name(container.name);
        const auto found = admitted.containers.find(container.name);
        if (found == admitted.containers.end()) continue;
        v1::ContainerDevices* devices = entry->add_devices();
        devices->set_resource_name(resource_name);
        devices->mutable_device_ids()->Assign(found->second.ids.begin(), found->second.ids.end());
      }
    }
    return Status::OK;
  }

  std::shared_ptr<PluginConnection> AwaitPlugin() {
    std::unique_lock held(mutex);
    registered.wait_for(held, kPatience, [this] { return plugin != nullptr; });
    return plugin;
  }

  std::set<std::string> Taken() const {
    std::set<std::string> taken;
    for (const auto& [uid, admitted] : pods)
      for (const auto& [name, allocation] : admitted.containers)
        if (!admitted.is_forgotten) taken.insert(allocation.ids.begin(), allocation.ids.end());
    return taken;
  }

  // First what init containers of the pod had; then what the plugin prefers; then any.
  Result<DeviceIds> Choose(size_t count, DeviceIds reusable, const std::set<std::string>& taken) {
    reusable.resize(std::min(count, reusable.size()));
    DeviceIds available = reusable;
    for (const PluginDevice& device : plugin->Devices())
      if (device.is_healthy && !taken.contains(device.id)) available.push_back(device.id);
    if (available.size() < count)
      return Fail(Errc::kUnavailable, "requested number of devices unavailable");
    DeviceIds chosen = reusable;
    const auto take = [&](const std::string& id) {
      if (chosen.size() < count && std::ranges::find(chosen, id) == chosen.end())
        chosen.push_back(id);
    };
    if (chosen.size() < count)
      for (const std::string& id :
           plugin->Prefer({.available = available, .must_include = reusable, .size = count}))
        if (std::ranges::find(available, id) != available.end()) take(id);
    for (const std::string& id : available) take(id);
    return chosen;
  }

  void WriteCheckpoint() const {
    kubelet_checkpoint::Checkpoint checkpoint;
    auto* data = checkpoint.mutable_data();
    for (const auto& [uid, admitted] : pods) {
      for (const auto& [name, allocation] : admitted.containers) {
        auto* entry = data->add_poddeviceentries();
        entry->set_poduid(uid);
        entry->set_containername(name);
        entry->set_resourcename(resource_name);
        auto& ids = (*entry->mutable_deviceids())["-1"];
        for (const std::string& id : allocation.ids) ids.add_values()->set_string_value(id);
        entry->set_allocresp(allocation.answer.SerializeAsString());
      }
    }
    google::protobuf::util::JsonPrintOptions options;
    options.preserve_proto_field_names = true;
    std::string text;
    ASSERT_TRUE(google::protobuf::util::MessageToJsonString(checkpoint, &text, options).ok());
    const std::string path = CheckpointPath(plugins_folder);
    std::ofstream(path + ".new") << text;
    fs::rename(path + ".new", path);
  }

  const std::string plugins_folder;
  std::mutex admission;  // one pod after the other
  mutable std::mutex mutex;
  std::condition_variable registered;
  std::string resource_name;
  std::shared_ptr<PluginConnection> plugin;
  size_t registrations = 0;
  std::map<std::string, AdmittedPod> pods;
  std::unique_ptr<grpc::Server> registration_server;
  std::unique_ptr<grpc::Server> pod_resources_server;
};

FakeKubelet::FakeKubelet(const std::string& folder) : folder_(folder) {
  fs::create_directories(plugins_folder());
  fs::create_directories(folder_ + "/pod-resources");
  state_ = std::make_unique<State>(plugins_folder());
  Start();
  StartPodResources();
}

FakeKubelet::~FakeKubelet() {
  EndNow(*state_->registration_server);
  StopPodResources();
}

void FakeKubelet::Start() {
  for (const auto& entry : fs::directory_iterator(plugins_folder()))
    if (entry.is_socket()) fs::remove(entry.path());
  state_->registration_server =
      Serve(KubeletSocket(plugins_folder()), static_cast<v1beta1::Registration::Service&>(*state_));
}

void FakeKubelet::StartPodResources() {
  state_->pod_resources_server =
      Serve(pod_resources_socket(), static_cast<v1::PodResourcesLister::Service&>(*state_));
}

void FakeKubelet::Restart() {
  EndNow(*state_->registration_server);
  {
    const std::scoped_lock held(state_->mutex);
    state_->plugin.reset();
  }
  Start();
}

void FakeKubelet::StopPodResources() {
  if (state_->pod_resources_server) EndNow(*state_->pod_resources_server);
  state_->pod_resources_server.reset();
}

bool FakeKubelet::AwaitDevices(
    const std::function<bool(const std::vector<PluginDevice>&)>& are_such) {
  const auto plugin = state_->AwaitPlugin();
  return plugin != nullptr && plugin->Await(are_such);
}

bool FakeKubelet::AwaitHealthy(size_t count) {
  return AwaitDevices([count](const std::vector<PluginDevice>& devices) {
    return static_cast<size_t>(std::ranges::count(devices, true, &PluginDevice::is_healthy)) ==
           count;
  });
}

bool FakeKubelet::AwaitRegistrations(size_t count) {
  std::unique_lock held(state_->mutex);
  return state_->registered.wait_for(held, kPatience,
                                     [&] { return state_->registrations >= count; });
}

size_t FakeKubelet::registrations() const {
  const std::scoped_lock held(state_->mutex);
  return state_->registrations;
}

Result<void> FakeKubelet::Admit(const FakePod& pod) {
  const std::scoped_lock admitting(state_->admission);
  if (state_->AwaitPlugin() == nullptr) return Fail(Errc::kUnavailable, "no plugin");
  AdmittedPod admitted{.pod = pod, .containers = {}};
  DeviceIds reusable;
  std::set<std::string> taken;
  {
    const std::scoped_lock held(state_->mutex);
    taken = state_->Taken();
  }
  for (const FakeContainer& container : pod.containers) {
    if (container.devices == 0) continue;
    auto ids = state_->Choose(container.devices, reusable, taken);
    if (!ids) return Forward(ids);
    auto answer = state_->plugin->Allocate(*ids);
    if (!answer) return Forward(answer);
    taken.insert(ids->begin(), ids->end());
    for (const std::string& id : *ids) std::erase(reusable, id);
    if (container.kind == FakeContainer::Kind::kInit)
      reusable.insert(reusable.end(), ids->begin(), ids->end());
    admitted.containers[container.name] = {std::move(*ids), std::move(*answer)};
  }
  const std::scoped_lock held(state_->mutex);
  state_->pods[pod.uid] = std::move(admitted);
  state_->WriteCheckpoint();
  return {};
}

Result<ContainerEdits> FakeKubelet::StartContainer(const std::string& pod_uid,
                                                   const std::string& container) {
  const auto plugin = state_->AwaitPlugin();
  if (plugin == nullptr) return Fail(Errc::kUnavailable, "no plugin");
  Allocation allocation;
  {
    const std::scoped_lock held(state_->mutex);
    allocation = state_->pods.at(pod_uid).containers.at(container);
  }
  if (auto may_start = plugin->PreStart(allocation.ids); !may_start) return Forward(may_start);
  return kubelet::FromWire(allocation.answer);
}

void FakeKubelet::Remove(const std::string& pod_uid) {
  const std::scoped_lock held(state_->mutex);
  state_->pods.erase(pod_uid);
}

void FakeKubelet::ForgetDevicesOf(const std::string& pod_uid) {
  const std::scoped_lock held(state_->mutex);
  state_->pods.at(pod_uid).is_forgotten = true;
}

DeviceIds FakeKubelet::DevicesOf(const std::string& pod_uid, const std::string& container) const {
  const std::scoped_lock held(state_->mutex);
  return state_->pods.at(pod_uid).containers.at(container).ids;
}

}  // namespace warpshare::platform

// The ways to the kubelet, and the kubelet that tests of other rooms use.
#include "platform/kubelet/registration.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "platform/kubelet/checkpoint.h"
#include "platform/kubelet/fake/fake_kubelet.h"
#include "platform/kubelet/pod_resources.h"

namespace warpshare::platform {
namespace {

constexpr char kResource[] = "warpshare.io/gpu";

class FreeHandler final : public DevicePluginHandler {
 public:
  DeviceIds Prefer(const DeviceChoice& choice) override { return {choice.available.back()}; }
  Result<ContainerEdits> Allocate(const DeviceIds& ids) override {
    return ContainerEdits{.environment = {{"FIRST", ids.front()}}};
  }
  Result<void> BeforeStart(const DeviceIds&) override { return {}; }
};

class RegistrationTest : public testing::Test {
 protected:
  RegistrationTest() {
    char pattern[] = "/tmp/registration_test.XXXXXX";
    folder_ = mkdtemp(pattern);
    kubelet_ = std::make_unique<FakeKubelet>(folder_);
  }
  ~RegistrationTest() override {
    kubelet_.reset();
    std::filesystem::remove_all(folder_);
  }

  void Register() {
    server_.reset();  // it takes its socket with it
    server_ = DevicePluginServer::Start(kubelet_->plugins_folder() + "/own.sock", handler_).value();
    std::vector<PluginDevice> devices;
    for (const char* id : {"a", "b", "c", "d"})
      devices.push_back({.id = id, .is_healthy = true, .numa_node = std::nullopt});
    server_->SetDevices(devices);
    const auto registered = RegisterPlugin(Registration());
    ASSERT_TRUE(registered) << registered.error().message;
    ASSERT_TRUE(kubelet_->AwaitHealthy(4));
  }
  PluginRegistration Registration() const {
    return {
        .folder = kubelet_->plugins_folder(), .endpoint = "own.sock", .resource_name = kResource};
  }

  std::string folder_;
  std::unique_ptr<FakeKubelet> kubelet_;
  FreeHandler handler_;
  std::unique_ptr<DevicePluginServer> server_;
};

TEST_F(RegistrationTest, ThePluginsDevicesAreGivenToPodsAndRecorded) {
  Register();
  ASSERT_TRUE(kubelet_->Admit({.uid = "u1", .name = "pod", .containers = {{"main", 1}}}));
  EXPECT_EQ(kubelet_->DevicesOf("u1", "main"), DeviceIds{"d"}) << "what it prefers";
  const auto listed = MakePodResources(kubelet_->pod_resources_socket(), kResource)->List();
  ASSERT_TRUE(listed) << listed.error().message;
  ASSERT_EQ(listed->size(), 1u);
  EXPECT_EQ(listed->front().name_space, "default");
  EXPECT_EQ(listed->front().name, "pod");
  ASSERT_EQ(listed->front().containers.size(), 1u);
  EXPECT_EQ(listed->front().containers[0].ids, DeviceIds{"d"});
  const auto recorded = ReadCheckpoint(CheckpointPath(kubelet_->plugins_folder()), kResource);
  ASSERT_TRUE(recorded) << recorded.error().message;
  const CheckpointEntry entry = {.pod_uid = "u1",
                                 .container = "main",
                                 .ids = {"d"},
                                 .edits = {.environment = {{"FIRST", "d"}}}};
  EXPECT_EQ(*recorded, std::vector{entry});
}

TEST_F(RegistrationTest, InitContainersAreNotInPodResources) {
  Register();
  using Kind = FakeContainer::Kind;
  ASSERT_TRUE(kubelet_->Admit(
      {.uid = "u1",
       .name = "pod",
       .containers = {{"init", 2, Kind::kInit}, {"side", 1, Kind::kSidecar}, {"main", 1}}}));
  const auto init = kubelet_->DevicesOf("u1", "init");
  EXPECT_EQ(kubelet_->DevicesOf("u1", "side"), DeviceIds{init[0]}) << "it gets them again";
  EXPECT_EQ(kubelet_->DevicesOf("u1", "main"), DeviceIds{init[1]});
  const auto listed = MakePodResources(kubelet_->pod_resources_socket(), kResource)->List();
  ASSERT_EQ(listed->at(0).containers.size(), 2u);
  EXPECT_EQ(listed->at(0).containers[0].container, "side");
  const auto recorded = ReadCheckpoint(CheckpointPath(kubelet_->plugins_folder()), kResource);
  EXPECT_EQ(recorded->size(), 3u);
}

TEST_F(RegistrationTest, AKubeletThatStartsAgainHasAnotherSocket) {
  const std::string socket = KubeletSocket(kubelet_->plugins_folder());
  Register();
  const auto before = IdentifySocket(socket);
  ASSERT_TRUE(before);
  EXPECT_EQ(IdentifySocket(socket), before);
  kubelet_->Restart();
  EXPECT_NE(IdentifySocket(socket), before);
  EXPECT_FALSE(IdentifySocket(kubelet_->plugins_folder() + "/own.sock")) << "it removes all";
  Register();
  EXPECT_EQ(kubelet_->registrations(), 2u);
}

TEST_F(RegistrationTest, WithoutAKubeletTheErrorSaysWhere) {
  auto registration = Registration();
  registration.folder = folder_ + "/none";
  const auto registered = RegisterPlugin(registration);
  ASSERT_FALSE(registered);
  EXPECT_EQ(registered.error().code, Errc::kUnavailable);
  EXPECT_NE(registered.error().message.find(folder_ + "/none/kubelet.sock"), std::string::npos);
  kubelet_->StopPodResources();
  const auto listed = MakePodResources(kubelet_->pod_resources_socket(), kResource)->List();
  ASSERT_FALSE(listed);
  EXPECT_EQ(listed.error().code, Errc::kUnavailable);
}

}  // namespace
}  // namespace warpshare::platform

// Over real sockets, with the kubelet's side from fake/.
#include "platform/kubelet/device_plugin_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "platform/kubelet/fake/plugin_connection.h"
#include "platform/kubelet/wire.h"

namespace warpshare::platform {
namespace {

class EchoHandler final : public DevicePluginHandler {
 public:
  DeviceIds Prefer(const DeviceChoice& choice) override {
    DeviceIds ids = choice.must_include;
    ids.push_back(choice.available.back());
    ids.push_back(std::to_string(choice.size));
    return ids;
  }
  Result<ContainerEdits> Allocate(const DeviceIds& ids) override {
    if (ids.front() == "bad") return Fail(Errc::kConflict, "nobody may have it");
    return ContainerEdits{.environment = {{"ID", ids.front()}},
                          .mounts = {{"/in", "/out", true}},
                          .device_nodes = {{"/dev/a", "/dev/b", "rw"}},
                          .annotations = {{"k", "v"}},
                          .cdi_devices = {"warpshare.io/driver=all"}};
  }
  Result<void> BeforeStart(const DeviceIds& ids) override {
    if (ids.front() == "bad") return Fail(Errc::kUnavailable, "not now");
    return {};
  }
};

class DevicePluginServerTest : public testing::Test {
 protected:
  DevicePluginServerTest() {
    char pattern[] = "/tmp/device_plugin_test.XXXXXX";
    folder_ = mkdtemp(pattern);
    server_ = DevicePluginServer::Start(socket(), handler_).value();
  }
  ~DevicePluginServerTest() override { std::filesystem::remove_all(folder_); }
  std::string socket() const { return folder_ + "/plugin.sock"; }

  std::string folder_;
  EchoHandler handler_;
  std::unique_ptr<DevicePluginServer> server_;
};

TEST_F(DevicePluginServerTest, EveryListenerIsToldOfAllDevicesWhenOneChanges) {
  PluginConnection first(socket());
  std::vector<PluginDevice> devices = {
      {.id = "a::00", .is_healthy = true, .numa_node = 1},
      {.id = "b::00", .is_healthy = true, .numa_node = std::nullopt}};
  server_->SetDevices(devices);
  const auto are_those = [&](const std::vector<PluginDevice>& told) { return told == devices; };
  EXPECT_TRUE(first.Await(are_those));
  devices[1].is_healthy = false;
  server_->SetDevices(devices);
  EXPECT_TRUE(first.Await(are_those));
  EXPECT_TRUE(PluginConnection(socket()).Await(are_those)) << "also who comes later";
}

TEST_F(DevicePluginServerTest, CallsReachTheHandlerAndItsAnswersTheKubelet) {
  PluginConnection kubelet(socket());
  EXPECT_EQ(kubelet.Prefer({.available = {"a", "b"}, .must_include = {"a"}, .size = 2}),
            (DeviceIds{"a", "b", "2"}));
  const auto answer = kubelet.Allocate({"a::00"});
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(kubelet::FromWire(*answer), *handler_.Allocate({"a::00"}));
  EXPECT_TRUE(kubelet.PreStart({"a::00"}));
}

TEST_F(DevicePluginServerTest, TheReasonOfAnErrorReachesTheKubelet) {
  PluginConnection kubelet(socket());
  const auto answer = kubelet.Allocate({"bad"});
  EXPECT_EQ(answer.error().message, "Allocate: nobody may have it");
  EXPECT_EQ(answer.error().code, Errc::kConflict);
  const auto started = kubelet.PreStart({"bad"});
  EXPECT_EQ(started.error().message, "PreStartContainer: not now");
  EXPECT_EQ(started.error().code, Errc::kUnavailable);
}

TEST_F(DevicePluginServerTest, ItsEndDoesNotWaitForListeners) {
  PluginConnection listener(socket());
  server_->SetDevices({{.id = "a::00", .is_healthy = true, .numa_node = std::nullopt}});
  ASSERT_TRUE(listener.Await([](const auto& devices) { return devices.size() == 1; }));
  server_.reset();
  EXPECT_FALSE(listener.PreStart({"a::00"}));
}

TEST_F(DevicePluginServerTest, TakesThePlaceOfASocketThatIsLeftOver) {
  EXPECT_TRUE(DevicePluginServer::Start(socket(), handler_));
  EXPECT_FALSE(DevicePluginServer::Start(folder_ + "/none/plugin.sock", handler_));
}

}  // namespace
}  // namespace warpshare::platform

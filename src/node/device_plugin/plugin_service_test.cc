#include "node/device_plugin/plugin_service.h"

#include <filesystem>
#include <fstream>
#include <thread>

#include "node/device_plugin/fake/plugin_fixture.h"

namespace warpshare::node {
namespace {

class PluginServiceTest : public PluginFixture {
 protected:
  bool AwaitHealthy(size_t cards) { return kubelet_->AwaitHealthy(cards * kSplit); }
};

TEST_F(PluginServiceTest, CardsAreDevicesOfTheirNumaNode) {
  StartPlugin();
  EXPECT_TRUE(kubelet_->AwaitDevices([this](const std::vector<platform::PluginDevice>& devices) {
    return devices.size() == 2 * kSplit && devices.back().numa_node == 1 &&
           devices.back().id == SlotId(cards_[1].uuid, kSplit - 1) &&
           devices.back().id.size() <= 63;
  }));
}

TEST_F(PluginServiceTest, RegistersAgainWhenTheKubeletStartsAgain) {
  StartPlugin();
  Bind("u1", 4_GiB, 30, 0);
  for (size_t restart = 2; restart <= 3; ++restart) {
    kubelet_->Restart();
    EXPECT_TRUE(AwaitHealthy(2));
    EXPECT_EQ(kubelet_->registrations(), restart);
  }
  EXPECT_TRUE(kubelet_->StartContainer("u1", "main")) << "it still knows whose devices those are";
}

TEST_F(PluginServiceTest, IsReadyWhileTheKubeletKnowsItAndThePodsAreKnown) {
  EXPECT_EQ(readiness_.Missing(source_), "not registered with the kubelet");
  StartPlugin();
  while (!readiness_.Missing(source_).empty()) std::this_thread::yield();
  source_.StopAnswering();
  EXPECT_EQ(readiness_.Missing(source_), "the pods of this node are not known yet");
  StopPlugin();
  EXPECT_EQ(readiness_.Missing(source_), "not registered with the kubelet");
}

TEST_F(PluginServiceTest, MakesItsSocketAnewWhenSomebodyRemovesIt) {
  StartPlugin();
  std::filesystem::remove(kubelet_->plugins_folder() + "/warpshare.sock");
  EXPECT_TRUE(kubelet_->AwaitRegistrations(2));
  EXPECT_TRUE(AwaitHealthy(2));
}

TEST_F(PluginServiceTest, AFaultyCardIsNotGivenOut) {
  StartPlugin();
  events_.Put({.card = cards_[0].uuid, .xid = 13});
  events_.Put({.card = cards_[0].uuid, .xid = 79});
  EXPECT_TRUE(AwaitHealthy(1));
  EXPECT_TRUE(log_.Has("healthy=false reason=\"XID 79: to be reset\""));
  Bind("u1", 1_GiB, 0, std::nullopt);
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_EQ(LimitsIn(*started).cards.at(0).uuid, cards_[1].uuid);
}

TEST_F(PluginServiceTest, AFaultOfNoCardMayBeAny) {
  StartPlugin();
  events_.Put({.card = std::nullopt, .xid = 79});
  EXPECT_TRUE(AwaitHealthy(0));
}

// A driver whose files an upgrade gives other names.
class DriverUpgradeTest : public PluginFixture {
 protected:
  DriverUpgradeTest() {
    driver_folder_ = root_ + "/driver";
    std::filesystem::create_directories(driver_folder_);
    Put("libcuda.so.1");
    Put("libnvidia-gpucomp.so.570.1");
    StartPlugin();
  }
  void Put(const std::string& name) { std::ofstream(driver_folder_ + "/" + name) << "x"; }
  void Upgrade() {
    std::filesystem::remove(driver_folder_ + "/libnvidia-gpucomp.so.570.1");
    Put("libnvidia-gpucomp.so.580.2");
  }
  static std::string InContainer(const std::string& name) {
    return "/usr/local/nvidia/lib64/" + name;
  }
};

TEST_F(DriverUpgradeTest, GivesNewContainersTheFilesThatAreThereByThen) {
  Upgrade();
  Bind("u1", 1_GiB, 0, 0);
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(started) << started.error().message;
  EXPECT_EQ(HostPath(*started, InContainer("libnvidia-gpucomp.so.580.2")),
            driver_folder_ + "/libnvidia-gpucomp.so.580.2");
  EXPECT_EQ(HostPath(*started, InContainer("libnvidia-gpucomp.so.570.1")), "");
}

TEST_F(DriverUpgradeTest, TellsTheMendToAContainerWhoseFilesAreGone) {
  Bind("u1", 1_GiB, 0, 0);
  ASSERT_TRUE(kubelet_->StartContainer("u1", "main"));
  Upgrade();
  const auto again = kubelet_->StartContainer("u1", "main");
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("libnvidia-gpucomp.so.570.1, which is not on the host any "
                                       "more: its driver is another one by now: delete the pod"),
            std::string::npos)
      << again.error().message;
}

TEST_F(DriverUpgradeTest, GivesOutNothingWithoutADriver) {
  std::filesystem::remove(driver_folder_ + "/libcuda.so.1");
  const std::vector containers = {Asks("main", 1_GiB)};
  AddPod("u1", containers, AssignmentOf(containers, 0));
  const auto admitted = Admit("u1");
  ASSERT_FALSE(admitted);
  EXPECT_NE(admitted.error().message.find("cordon the node"), std::string::npos)
      << admitted.error().message;
}

}  // namespace
}  // namespace warpshare::node

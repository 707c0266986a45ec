#include "node/device_plugin/reaper.h"

#include <fstream>

#include "node/device_plugin/fake/plugin_fixture.h"
#include "node/tenancy/fake/tenancy_fixture.h"
#include "platform/clock/fake/fake_clock.h"

namespace warpshare::node {
namespace {

// The plugin's own reaper waits by a real clock, for a minute: the test's is the one that reaps.
class ReaperTest : public PluginFixture {
 protected:
  ReaperTest() { StartPlugin(); }

  static constexpr std::chrono::seconds kStep = kReapGrace / 3;

  void Wait(int steps) {
    for (int step = 0; step < steps; ++step) {
      reaper_.Look();
      time_.Sleep(kStep);
    }
    reaper_.Look();
  }
  size_t Folders() const { return ContainerTenants(state_).size(); }

  const StateDir state_ = StateDir::Open(root_ + "/state", IfMissing::kMake).value();
  std::unique_ptr<platform::PodResources> pod_resources_ =
      platform::MakePodResources(kubelet_->pod_resources_socket(), "warpshare.io/gpu");
  KubeletRecord record_{*pod_resources_, platform::CheckpointPath(kubelet_->plugins_folder()),
                        "warpshare.io/gpu"};
  HeldTenants held_;
  platform::FakeClock time_;
  Reaper reaper_{
      state_,
      {.record = record_, .held = held_, .libraries = *libraries_, .clock = time_, .log = log_}};
};

TEST_F(ReaperTest, GivesBackWhatAPodLeftAfterAWhile) {
  Bind("u1", 1_GiB, 0, 0);
  Bind("u2", 1_GiB, 0, 0);
  ASSERT_TRUE(kubelet_->StartContainer("u1", "main"));
  ASSERT_TRUE(kubelet_->StartContainer("u2", "main"));
  Wait(6);
  EXPECT_EQ(Folders(), 2u);
  kubelet_->Remove("u1");
  Wait(2);
  EXPECT_EQ(Folders(), 2u) << "the kubelet may just have started";
  Wait(1);
  ASSERT_EQ(Folders(), 1u);
  EXPECT_EQ(ContainerTenants(state_)[0].claim.pod_uid, "u2");
}

TEST_F(ReaperTest, LeavesWhatAProcessIsIn) {
  Bind("u1", 1_GiB, 0, 0);
  const auto started = kubelet_->StartContainer("u1", "main");
  ASSERT_TRUE(started);
  kubelet_->Remove("u1");
  {
    FakeProcess process(HostPath(*started, "/run/warpshare/tenant/usage"), 0);
    Wait(6);
    EXPECT_EQ(Folders(), 1u);
    process.owner().generation = 2;  // it ends
  }
  Wait(6);
  EXPECT_EQ(Folders(), 0u);
}

TEST_F(ReaperTest, DoesNothingWhileTheKubeletsRecordCannotBeRead) {
  Bind("u1", 1_GiB, 0, 0);
  kubelet_->Remove("u1");
  std::ofstream(platform::CheckpointPath(kubelet_->plugins_folder())) << "garbage";
  Wait(9);
  EXPECT_EQ(Folders(), 1u);
}

TEST_F(ReaperTest, GivesBackWhatNoPodGot) {
  ASSERT_TRUE(MakeContainerTenant(state_, {"GPU-1::00"}));
  Bind("u1", 1_GiB, 0, 0);  // so that there is a checkpoint
  Wait(6);
  EXPECT_EQ(Folders(), 1u);
}

}  // namespace
}  // namespace warpshare::node

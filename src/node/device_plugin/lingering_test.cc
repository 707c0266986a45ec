#include "node/device_plugin/lingering.h"

#include "node/device_plugin/fake/plugin_fixture.h"
#include "node/tenancy/fake/tenancy_fixture.h"

namespace warpshare::node {
namespace {

class LingeringTest : public PluginFixture {
 protected:
  std::string Start(const std::string& uid) {
    const auto started = kubelet_->StartContainer(uid, "main");
    EXPECT_TRUE(started) << started.error().message;
    return started ? HostPath(*started, "/run/warpshare/tenant") : "";
  }
  std::string Text() {
    Lingering lingering(StateDir::Open(root_ + "/state", IfMissing::kMake).value(), "node-a");
    lingering.Look(source_);
    return lingering.Text();
  }
};

TEST_F(LingeringTest, ProcessesOfAPodThatIsGoneHoldWhatItHad) {
  StartPlugin();
  Bind("u1", 4_GiB, 30, 0);
  Bind("u2", 8_GiB, 0, 1);
  std::optional<FakeProcess> process(std::in_place, Start("u1") + "/usage", 0);
  (void)Start("u2");
  EXPECT_EQ(Text(), "v1;node-a");
  source_.Remove("u1");
  source_.Remove("u2");
  EXPECT_EQ(Text(), "v1;node-a;u1=" + cards_[0].uuid.Text() + ":4GiB:30:hard");
  process->owner().generation = 2;  // it ends
  process.reset();
  EXPECT_EQ(Text(), "v1;node-a");
}

TEST_F(LingeringTest, SaysNothingWhileTheClusterDoesNotAnswer) {
  source_.StopAnswering();
  EXPECT_EQ(Text(), "");
}

}  // namespace
}  // namespace warpshare::node

#include "node/local/ensure_local_node.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "node/local/node_lock.h"
#include "node/local/testing/fake_tenant.h"
#include "node/local/testing/node_process.h"

namespace warpshare::node {
namespace {

class EnsureLocalNodeTest : public TenancyFixture {
 protected:
  ~EnsureLocalNodeTest() override {
    const auto lock = platform::OpenFile(state_.path() + "/node.lock", O_RDWR);
    std::filesystem::remove_all(state_.path());
    if (lock) AwaitNoNode(*lock);
  }

  const StateDir state_ = State();
};

TEST_F(EnsureLocalNodeTest, StartsOneThatServesWhoeverIsThere) {
  EXPECT_FALSE(IsNodeRunning(state_));
  FakeTenant tenant(std::move(Enter(Request("train")).value()),
                    {.mode = abi::ComputeMode::kHard, .share_permille = 300, .weight = 1});
  const auto ensured = EnsureLocalNode(state_, ProgramFolder());
  EXPECT_TRUE(ensured) << ensured.error().message;
  EXPECT_TRUE(IsNodeRunning(state_));
  EXPECT_EQ(CountInLog(state_, "train shares"), 1u) << NodeLog(state_);
  tenant.AwaitServed();
}

// The node has nothing of ours open: it would hold this tenant for ever.
TEST_F(EnsureLocalNodeTest, ATenantIsGoneWithItsRunWhateverNodeItStarted) {
  auto membership = Enter(Request("train"));
  ASSERT_TRUE(EnsureLocalNode(state_, ProgramFolder()));
  membership->Leave(state_, clock_);
  EXPECT_FALSE(std::filesystem::exists(state_.tenants_path() + "/train"));
}

TEST_F(EnsureLocalNodeTest, ManyAtOnceStartOne) {
  std::vector<pid_t> starters;
  for (int i = 0; i < 4; ++i) {
    starters.push_back(fork());
    if (starters.back() == 0) _exit(EnsureLocalNode(state_, ProgramFolder()) ? 0 : 1);
  }
  for (const pid_t starter : starters) {
    int status = -1;
    waitpid(starter, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(CountInLog(state_, " serves "), 1u) << NodeLog(state_);
  EXPECT_TRUE(IsNodeRunning(state_));
}

TEST_F(EnsureLocalNodeTest, SaysWhyNoneCouldBeStarted) {
  const auto missing = EnsureLocalNode(state_, "/nowhere");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::kNotFound);
  std::filesystem::create_symlink("/bin/false", root_ + "/warpshare-node");
  const auto ended = EnsureLocalNode(state_, root_);
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().message.find("node.log"), std::string::npos);
}

}  // namespace
}  // namespace warpshare::node

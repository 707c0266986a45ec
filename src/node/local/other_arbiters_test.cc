#include "node/local/other_arbiters.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>

#include "node/local/node_lock.h"
#include "node/local/testing/fake_tenant.h"

namespace warpshare::node {
namespace {

class OtherArbitersTest : public TenancyFixture {
 protected:
  std::vector<std::string> Find() {
    return FindOtherArbiters(state_, {.names = root_, .cluster_state = cluster_.path()});
  }
  FakeTenant Tenant() {
    return {std::move(Enter(Request("train")).value()),
            {.mode = abi::ComputeMode::kHard, .share_permille = 300, .weight = 1}};
  }
  GpuUuid card() const { return machine_[0].uuid; }

  // The card's name, as that user.
  void WhileAnotherProcessHolds(uid_t user, const std::function<void(pid_t)>& look) {
    int ready[2];
    int end[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(end), 0);
    const pid_t child = fork();
    if (child == 0) {
      close(end[1]);
      char byte = 0;
      const bool is_user = user == geteuid() || setuid(user) == 0;
      const auto name = platform::NameClaim::Take(root_ + card().Text());
      const bool is_told = is_user && name && *name && write(ready[1], &byte, 1) == 1;
      _exit(is_told && read(end[0], &byte, 1) == 0 ? 0 : 1);
    }
    close(ready[1]);
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    look(child);
    close(end[0]);
    close(end[1]);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    close(ready[0]);
  }

  const StateDir state_ = State();
  const StateDir cluster_ = StateDir::Open(root_ + "/cluster", IfMissing::kMake).value();
};

TEST_F(OtherArbitersTest, AClustersNodeIsFoundByTheCardsItServes) {
  const GpuUuid others[] = {machine_[1].uuid, card()};
  std::optional<platform::Descriptor> serving = TellServedCards(cluster_, others).value();
  EXPECT_TRUE(Find().empty()) << "no tenant of ours is held back on them";
  const FakeTenant tenant = Tenant();
  EXPECT_EQ(Find(), std::vector<std::string>{
                        "GPU-00ab0000 is handed out by this machine's Kubernetes node, too"});
  serving.reset();
  EXPECT_TRUE(Find().empty()) << "it ended";
  serving = TellServedCards(cluster_, std::span(others).first(1)).value();
  EXPECT_TRUE(Find().empty()) << "another card";
}

TEST_F(OtherArbitersTest, OnesOwnIsNone) {
  const FakeTenant tenant = Tenant();
  const auto name = platform::NameClaim::Take(root_ + card().Text());
  ASSERT_TRUE(name && *name);
  EXPECT_TRUE(Find().empty());
}

TEST_F(OtherArbitersTest, OneOfAnotherFolderIsFoundThoughItIsOnesOwn) {
  const FakeTenant tenant = Tenant();
  const auto lock = NodeLock::Take(state_);
  ASSERT_TRUE(lock && *lock);
  {
    const auto name = platform::NameClaim::Take(root_ + card().Text());
    ASSERT_TRUE(name && *name);
    EXPECT_TRUE(Find().empty()) << "our node, which is this process, has it";
  }
  WhileAnotherProcessHolds(geteuid(), [this](pid_t holder) {
    EXPECT_EQ(Find(), std::vector<std::string>{
                          "GPU-00ab0000 is handed out by your arbiter of another state folder "
                          "(process " +
                          std::to_string(holder) + "), too"});
  });
}

// Root may be anybody.
TEST_F(OtherArbitersTest, AnotherUsersIsFoundByItsName) {
  if (geteuid() != 0) GTEST_SKIP() << "cannot be another user";
  const FakeTenant tenant = Tenant();
  WhileAnotherProcessHolds(65533, [this](pid_t) {
    EXPECT_EQ(Find(), std::vector<std::string>{
                          "GPU-00ab0000 is handed out by the arbiter of user 65533, too"});
  });
}

}  // namespace
}  // namespace warpshare::node

#include "node/local/other_arbiters.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

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

// Root may be anybody.
TEST_F(OtherArbitersTest, AnotherUsersIsFoundByItsName) {
  constexpr uid_t kOther = 65533;
  if (geteuid() != 0) GTEST_SKIP() << "cannot be another user";
  const FakeTenant tenant = Tenant();
  int ready[2];
  int end[2];
  ASSERT_EQ(pipe(ready), 0);
  ASSERT_EQ(pipe(end), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(end[1]);
    char byte = 0;
    const bool is_other = setuid(kOther) == 0;
    const auto name = platform::NameClaim::Take(root_ + card().Text());
    const bool is_told = is_other && name && *name && write(ready[1], &byte, 1) == 1;
    _exit(is_told && read(end[0], &byte, 1) == 0 ? 0 : 1);
  }
  close(ready[1]);
  char byte = 0;
  EXPECT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(Find(), std::vector<std::string>{
                        "GPU-00ab0000 is handed out by the arbiter of user 65533, too"});
  close(end[0]);
  close(end[1]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  close(ready[0]);
}

}  // namespace
}  // namespace warpshare::node

// Limits of containers that run, as the pods' annotations change.
#include "node/device_plugin/limit_keeper.h"

#include <sys/stat.h>

#include "node/device_plugin/fake/plugin_fixture.h"
#include "node/tenancy/fake/tenancy_fixture.h"
#include "platform/clock/fake/fake_clock.h"

namespace warpshare::node {
namespace {

using namespace std::chrono_literals;
using request::ContainerRequest;

// Containers are started by the plugin, and then the test looks after them by itself, with a clock
// of its own.
class LimitKeeperTest : public PluginFixture {
 protected:
  // The limits page's file, as the running container has it open.
  std::string Start(const std::string& uid) {
    if (!plugin_) StartPlugin();
    const auto started = kubelet_->StartContainer(uid, "main");
    EXPECT_TRUE(started) << started.error().message;
    StopPlugin();
    return started ? HostPath(*started, "/run/warpshare/tenant") : "";
  }
  LimitKeeper& Keeper() {
    if (!keeper_)
      keeper_ = std::make_unique<LimitKeeper>(state_, "node-a",
                                              LimitKeeper::Ports{.source = source_,
                                                                 .cards = *card_watch_,
                                                                 .taken = *taken_,
                                                                 .voice = voice_,
                                                                 .clock = fake_clock_,
                                                                 .log = log_});
    return *keeper_;
  }
  void LookAfter(std::chrono::seconds pause) {
    fake_clock_.Sleep(pause);
    Keeper().Look();
  }
  // As the user wishes, and as the scheduler answers.
  void Resize(const std::string& uid, Bytes memory, uint32_t cores, size_t card = 0) {
    const std::vector<ContainerRequest> containers = {Asks("main", memory, cores)};
    source_.Wish(uid, containers);
    source_.Edit(uid, AssignmentOf(containers, card));
  }
  static platform::CardLimit LimitsAt(const std::string& side) {
    const auto limits = platform::ReadLimitsFile(side + "/limits");
    EXPECT_TRUE(limits);
    return limits ? limits->cards.at(0) : platform::CardLimit{};
  }
  bool IsWarnedOf(const std::string& text) {
    return std::ranges::any_of(voice_.Warnings(), [&](const std::string& warning) {
      return warning.find(text) != std::string::npos;
    });
  }

  const StateDir state_ = StateDir::Open(root_ + "/state", IfMissing::kMake).value();
  platform::FakeClock fake_clock_;
  std::unique_ptr<LimitKeeper> keeper_;
};

TEST_F(LimitKeeperTest, ChangesReachThePageThatARunningContainerHasOpen) {
  StartPlugin();
  Bind("u1", 4_GiB, 30, 0);
  const std::string side = Start("u1");
  const auto inode = [&] {
    struct stat file = {};
    EXPECT_EQ(stat((side + "/limits").c_str(), &file), 0);
    return file.st_ino;
  };
  const auto before = inode();
  Resize("u1", 6_GiB, 50);
  Keeper().Look();
  EXPECT_EQ(LimitsAt(side).memory, 6_GiB);
  EXPECT_EQ(LimitsAt(side).compute.share_permille, 500u);
  Resize("u1", 2_GiB, 0);
  Keeper().Look();
  EXPECT_EQ(LimitsAt(side).memory, 2_GiB);
  EXPECT_EQ(LimitsAt(side).compute.mode, abi::ComputeMode::kWeighted);
  EXPECT_EQ(inode(), before);
  EXPECT_TRUE(voice_.Warnings().empty());
}

TEST_F(LimitKeeperTest, WhatItWasGivenIsWhatItStartsAgainWith) {
  StartPlugin();
  Bind("u1", 4_GiB, 30, 0);
  (void)Start("u1");
  Resize("u1", 6_GiB, 30);
  Keeper().Look();
  source_.StopAnswering();
  EXPECT_EQ(LimitsAt(Start("u1")).memory, 6_GiB);
}

TEST_F(LimitKeeperTest, WhatFindsNoRoomChangesNothingUntilThereIsSome) {
  StartPlugin();
  Bind("u1", 4_GiB, 0, 0);
  const std::string side = Start("u1");
  const std::vector<ContainerRequest> others = {Asks("main", 30_GiB)};
  AddPod("u2", others, AssignmentOf(others, 0));
  Resize("u1", 20_GiB, 0);
  Keeper().Look();
  EXPECT_EQ(LimitsAt(side).memory, 4_GiB);
  EXPECT_TRUE(IsWarnedOf("ResizeRefused: the containers keep what they have"));
  EXPECT_TRUE(IsWarnedOf("not enough left"));
  LookAfter(60s);
  EXPECT_EQ(voice_.Warnings().size(), 1u) << "a reason is said once";
  EXPECT_NE(source_.Assignment("u1").find("20GiB"), std::string::npos) << "it may come true";
  source_.Remove("u2");
  LookAfter(5s);
  EXPECT_EQ(LimitsAt(side).memory, 20_GiB);
}

TEST_F(LimitKeeperTest, WhatNobodyAskedForIsRefusedAndWrittenOver) {
  StartPlugin();
  Bind("u1", 4_GiB, 0, 0);
  const std::string side = Start("u1");
  const std::string good = source_.Assignment("u1");
  for (const std::string& bad :
       {AssignmentOf({Asks("main", 8_GiB)}, 0), AssignmentOf({Asks("main", 4_GiB)}, 1),
        std::string("v1;node-a"), std::string("nonsense")}) {
    source_.Edit("u1", bad);
    Keeper().Look();
    EXPECT_EQ(LimitsAt(side).memory, 4_GiB) << bad;
    EXPECT_EQ(LimitsAt(side).uuid, cards_[0].uuid) << bad;
    EXPECT_EQ(source_.Assignment("u1"), bad) << "the scheduler may put it right";
    LookAfter(10s);
    EXPECT_EQ(source_.Assignment("u1"), good);
  }
}

TEST_F(LimitKeeperTest, WhatAPodPastTheSchedulerWasGivenIsWrittenToIt) {
  StartPlugin();
  Bind("u1", 4_GiB, 30, std::nullopt);
  (void)Start("u1");
  Keeper().Look();
  EXPECT_EQ(source_.Assignment("u1"), AssignmentOf({Asks("main", 4_GiB, 30)}, 0));
  source_.Edit("u1", "");
  LookAfter(5s);
  EXPECT_NE(source_.Assignment("u1"), "") << "somebody took it away";
}

TEST_F(LimitKeeperTest, AContainerMayHaveLessThanItUsesWhichCountsUntilItIsUnder) {
  StartPlugin();
  Bind("u1", 30_GiB, 0, 0);
  const std::string side = Start("u1");
  FakeProcess process(side + "/usage", 0);
  ASSERT_TRUE(process.Take(0, 25_GiB, 30_GiB));
  Resize("u1", 2_GiB, 0);
  Keeper().Look();
  EXPECT_EQ(LimitsAt(side).memory, 2_GiB);

  const std::vector<ContainerRequest> others = {Asks("main", 20_GiB)};
  AddPod("u2", others, AssignmentOf(others, 0));
  StartPlugin();
  ASSERT_TRUE(Admit("u2"));
  const auto refused = kubelet_->StartContainer("u2", "main");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("beside 25GiB"), std::string::npos)
      << refused.error().message;
  process.owner().generation = 2;  // it ends
  EXPECT_TRUE(kubelet_->StartContainer("u2", "main"));
}

TEST_F(LimitKeeperTest, APageThatADaemonDidNotComeToIsBroughtToTheClaim) {
  StartPlugin();
  Bind("u1", 4_GiB, 0, 0);
  const std::string side = Start("u1");
  ContainerTenant tenant = ContainerTenants(state_).at(0);
  tenant.claim.assignment = AssignmentOf({Asks("main", 6_GiB)}, 0);
  ASSERT_TRUE(WriteClaim(ClaimPath(tenant.dir.path()), tenant.claim));
  Keeper().Recover();
  EXPECT_EQ(LimitsAt(side).memory, 6_GiB);
}

}  // namespace
}  // namespace warpshare::node

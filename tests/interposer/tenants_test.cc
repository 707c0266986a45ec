// Whole programs as tenants of a simulated card: through every route, after every way in which a
// process comes to be.
#include <gtest/gtest.h>
#include <sys/personality.h>
#include <unistd.h>

#include "sim_world.h"

namespace warpshare::testing {
namespace {

constexpr uint64_t kLimit = 1024 * kMiB;
const std::string kWhole = std::to_string(kLimit);
const std::string kHalf = std::to_string(kLimit / 2);
// Fits once, and not twice.
const std::string kMost = std::to_string(600 * kMiB);

std::string TextOf(const std::array<uint8_t, 16>& uuid) {
  std::string text;
  for (size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    constexpr char kDigits[] = "0123456789abcdef";
    text += {kDigits[uuid[i] >> 4], kDigits[uuid[i] & 15]};
  }
  return text;
}

class TenantsTest : public ::testing::Test {
 protected:
  Ran Run(const std::string& route, const std::vector<std::string>& steps) {
    return RunProgram(TenantCommand(route, steps), world_.Interposed(&tenant_));
  }
  Ran Run(const std::vector<std::string>& steps) { return Run("lookup2", steps); }
  void ExpectAsBare(const std::vector<std::string>& steps) {
    EXPECT_EQ(Run(steps).out, RunProgram(TenantCommand("lookup2", steps), world_.Bare()).out);
  }

  SimWorld world_;
  std::vector<std::array<uint8_t, 16>> uuids_ = world_.Uuids();
  TenantDir tenant_{{{.uuid = uuids_[0], .memory_limit = kLimit},
                     {.uuid = uuids_[1], .memory_limit = kLimit / 2}}};
};

const std::string kInfoWithLimit = " total " + kWhole + "\n";

class EveryRouteTest : public TenantsTest, public ::testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Routes, EveryRouteTest,
                         ::testing::Values("linked", "dlopen", "local", "deepbind", "lookup1",
                                           "lookup2"),
                         [](const auto& info) { return info.param; });

TEST_P(EveryRouteTest, IsHeldToItsLimit) {
  const Ran ran = Run(GetParam(), {"init", "context=0", "alloc=" + kMost, "alloc=" + kMost, "info",
                                   "free=0", "alloc=" + kMost, "total=0"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out.find("init 0\ncontext 0\nalloc 0\nalloc 2\ninfo 0 free "), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find(kInfoWithLimit + "free 0\nalloc 0\ntotal 0 " + kWhole + "\n"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(tenant_.Refusals(), 1u);
}

TEST_P(EveryRouteTest, IsNotHeldWithoutATenant) {
  const Ran ran = RunProgram(TenantCommand(GetParam(), {"init", "context=0", "alloc=" + kWhole,
                                                        "alloc=" + kWhole, "total=0"}),
                             world_.Interposed());
  EXPECT_NE(ran.out.find("alloc 0\nalloc 0\ntotal 0 " + std::to_string(4096 * kMiB)),
            std::string::npos)
      << ran.out;
}

// Processes.
TEST_F(TenantsTest, Scenario11_AForkChildOfAnUninitialisedProcessIsATenantOfItsOwn) {
  const Ran ran = Run({"fork", "init", "context=0", "alloc=" + kMost, "alloc=" + kMost});
  EXPECT_NE(ran.out.find("init 0\ncontext 0\nalloc 0\nalloc 2\n"), std::string::npos) << ran.out;
}

TEST_F(TenantsTest, Scenario11_AForkChildOfAnInitialisedProcessGetsTheDriversError) {
  ExpectAsBare({"init", "context=0", "alloc=" + kMost, "fork", "init", "alloc=1048576", "info",
                "retain=0", "create=0"});
}

TEST_F(TenantsTest, WhatIsNoDeviceGetsTheDriversError) {
  ExpectAsBare({"retain=0", "create=0", "init", "retain=2", "create=2", "retain=-1", "create=-1",
                "retain=64", "create=64", "context=0", "create=2"});
}

TEST_F(TenantsTest, Scenario11_ACloneIsATenantOfItsOwn) {
  const Ran ran = Run({"clone", "init", "context=0", "alloc=" + kMost, "alloc=" + kMost});
  EXPECT_NE(ran.out.find("init 0\ncontext 0\nalloc 0\nalloc 2\n"), std::string::npos) << ran.out;
}

TEST_F(TenantsTest, Scenario11_AProgramStartedByAnInitialisedProcessIsATenant) {
  const Ran ran = Run({"init", "context=0", "alloc=" + kMost, "fork", "exec", "find", "init",
                       "context=0", "alloc=" + kMost, "say=parent-still-holds"});
  EXPECT_NE(ran.out.find("init 0\ncontext 0\nalloc 2\nparent-still-holds"), std::string::npos)
      << ran.out;
}

TEST_F(TenantsTest, Scenario11_AnExecGivesBackWhatTheProgramBeforeItHeld) {
  const Ran ran = Run({"init", "context=0", "alloc=" + kMost, "exec", "find", "init", "context=0",
                       "alloc=" + kMost});
  EXPECT_NE(ran.out.find("init 0\ncontext 0\nalloc 0\nfind ok\ninit 0\ncontext 0\nalloc 0\n"),
            std::string::npos)
      << ran.out;
}

// Nothing of the process tells two programs apart then: not even where their stacks begin. The
// first one is for the variables that the second has from the start.
TEST_F(TenantsTest, Scenario11_AnExecGivesBackWhereStacksAreNotPlacedAtRandom) {
  const int before = personality(0xffffffff);
  if (before == -1 || personality(static_cast<unsigned>(before) | ADDR_NO_RANDOMIZE) == -1)
    GTEST_SKIP() << "may not place stacks where they are asked for";
  Environment environment = world_.Interposed(&tenant_);
  environment.emplace_back("TENANT_PROGRAM_STEP", "002");
  const Ran ran = RunProgram(
      TenantCommand("lookup2", {"init", "exec-alike", "find", "init", "context=0", "alloc=" + kMost,
                                "stack", "exec-alike", "find", "init", "context=0",
                                "alloc=" + kMost, "alloc=" + kMost, "stack"}),
      environment);
  personality(static_cast<unsigned>(before));
  const size_t first = ran.out.find("stack ");
  const size_t second = ran.out.rfind("stack ");
  ASSERT_LT(first, second) << ran.out;
  const std::string stack = ran.out.substr(second);
  EXPECT_EQ(ran.out.substr(first, stack.size()), stack) << "the test is none";
  EXPECT_NE(ran.out.find("find ok\ninit 0\ncontext 0\nalloc 0\nalloc 2\n", first),
            std::string::npos)
      << ran.out;
}

// As posix_spawn does it: clone(CLONE_VM | CLONE_VFORK), then exec.
TEST_F(TenantsTest, Scenario11_ASpawnedProgramSharesTheLimitAndLeavesItsParentAlone) {
  const Ran ran = Run({"init", "context=0", "alloc=" + kMost, "spawn=4", "find", "init",
                       "context=0", "alloc=" + kMost, "free=0", "spawn=4", "find", "init",
                       "context=0", "alloc=" + kMost, "alloc=" + kMost, "alloc=" + kMost});
  EXPECT_NE(ran.out.find("init 0\ncontext 0\nalloc 0\n"
                         "find ok\ninit 0\ncontext 0\nalloc 2\nspawned 0\nfree 0\n"
                         "find ok\ninit 0\ncontext 0\nalloc 0\nspawned 0\nalloc 0\nalloc 2\n"),
            std::string::npos)
      << ran.out;
}

TEST_F(TenantsTest, Scenario11_WorkersForkedBeforeTheDriverStartedShareOneLimit) {
  RunningProgram holder(TenantCommand("lookup2", {"fork", "init", "context=0", "alloc=" + kMost,
                                                  "say=holds", "wait"}),
                        world_.Interposed(&tenant_));
  ASSERT_TRUE(holder.AwaitOutput("holds"));
  EXPECT_NE(Run({"fork", "init", "context=0", "alloc=" + kMost}).out.find("alloc 2\n"),
            std::string::npos);
  holder.GoOn();
  EXPECT_EQ(holder.Await().exit_code, 0);
  EXPECT_NE(Run({"fork", "init", "context=0", "alloc=" + kMost}).out.find("alloc 0\n"),
            std::string::npos);
}

TEST_F(TenantsTest, Scenario11_WhatAKilledProcessHeldIsThereForTheNextCall) {
  RunningProgram holder(
      TenantCommand("lookup2", {"init", "context=0", "alloc=" + kMost, "say=holds", "wait"}),
      world_.Interposed(&tenant_));
  RunningProgram other(
      TenantCommand("lookup2", {"init", "context=0", "say=ready", "wait", "alloc=" + kMost,
                                "say=refused", "wait", "alloc=" + kMost}),
      world_.Interposed(&tenant_));
  ASSERT_TRUE(holder.AwaitOutput("holds"));
  ASSERT_TRUE(other.AwaitOutput("ready"));
  other.GoOn();
  ASSERT_TRUE(other.AwaitOutput("alloc 2\nrefused"));
  holder.Kill();
  holder.Await();
  other.GoOn();
  EXPECT_NE(other.Await().out.find("refused\nalloc 0\n"), std::string::npos);
}

TEST_F(TenantsTest, AProcessThatClosesEveryDescriptorKeepsItsBytes) {
  RunningProgram holder(TenantCommand("lookup2", {"init", "context=0", "alloc=" + kMost,
                                                  "close-from=500", "say=holds", "wait", "free=0"}),
                        world_.Interposed(&tenant_));
  ASSERT_TRUE(holder.AwaitOutput("holds"));
  EXPECT_NE(Run({"init", "context=0", "alloc=" + kMost}).out.find("alloc 2\n"), std::string::npos);
  holder.GoOn();
  EXPECT_NE(holder.Await().out.find("free 0\n"), std::string::npos);
}

class RootTest : public TenantsTest {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
    world_.OpenToAll();
  }
};

TEST_F(RootTest, AnotherUserIsATenantBeforeAndAfterTheDriverStarted) {
  EXPECT_NE(Run({"setuid=65534", "init", "context=0", "alloc=" + kMost, "alloc=" + kMost})
                .out.find("setuid ok\ninit 0\ncontext 0\nalloc 0\nalloc 2\n"),
            std::string::npos);
  EXPECT_NE(Run({"init", "context=0", "setuid=65534", "alloc=" + kMost, "alloc=" + kMost})
                .out.find("setuid ok\nalloc 0\nalloc 2\n"),
            std::string::npos);
}

TEST_F(RootTest, AProcessOfAnotherUserIsKnownToBeAlive) {
  RunningProgram holder(TenantCommand("lookup2", {"init", "context=0", "alloc=" + kMost,
                                                  "close-from=500", "say=holds", "wait"}),
                        world_.Interposed(&tenant_));
  ASSERT_TRUE(holder.AwaitOutput("holds"));
  EXPECT_NE(Run({"setuid=65534", "init", "context=0", "alloc=" + kMost}).out.find("alloc 2\n"),
            std::string::npos);
}

TEST_F(RootTest, AProcessThatChangedItsRootGoesOn) {
  world_.LinkInto(
      tenant_.path());  // the simulated driver opens files by path, which the real one does not
  const Ran ran = Run({"init", "context=0", "chroot=" + tenant_.path(), "alloc=" + kMost,
                       "alloc=" + kMost, "free=0", "alloc=" + kMost, "info"});
  EXPECT_NE(ran.out.find("chroot ok\nalloc 0\nalloc 2\nfree 0\nalloc 0\ninfo 0 "),
            std::string::npos)
      << ran.out;
}

// Devices.
TEST_F(TenantsTest, Scenario10_ALimitFollowsTheCardThroughEveryFormOfVisibleDevices) {
  const auto total = [this](const std::string& visible, const std::string& device) {
    Environment environment = world_.Interposed(&tenant_);
    environment.emplace_back("CUDA_VISIBLE_DEVICES", visible);
    return RunProgram(TenantCommand("lookup2", {"init", "total=" + device}), environment).out;
  };
  const auto text_of = [](const auto& uuid) { return "GPU-" + TextOf(uuid); };
  const std::string first = "total 0 " + kWhole + "\n";
  const std::string second = "total 0 " + kHalf + "\n";
  EXPECT_NE(total("0,1", "0").find(first), std::string::npos);
  EXPECT_NE(total("1,0", "0").find(second), std::string::npos);
  EXPECT_NE(total("1,0", "1").find(first), std::string::npos);
  EXPECT_NE(total("1", "0").find(second), std::string::npos);
  EXPECT_NE(total(text_of(uuids_[1]), "0").find(second), std::string::npos);
  EXPECT_NE(total(text_of(uuids_[1]) + "," + text_of(uuids_[0]), "1").find(first),
            std::string::npos);
}

TEST_F(TenantsTest, Scenario10_ALimitFollowsAPartOfACardByItsOwnUuid) {
  const std::string part = "MIG-" + TextOf(uuids_[1]);
  const auto run = [&](const std::string& visible) {
    Environment environment = world_.Interposed(&tenant_);
    environment.emplace_back(abi::kEnvDriverDir, kMigDriverDir);
    environment.emplace_back("FAKE_MIG", part);
    environment.emplace_back("CUDA_VISIBLE_DEVICES", visible);
    return RunProgram(TenantCommand("dlopen", {"init", "count", "total=0"}), environment).out;
  };
  EXPECT_EQ(run(part), "find ok\ninit 0\ncount 0 1\ntotal 0 " + kHalf + "\n");
  // Granted is another one: its uuid is taken out of the list, and the driver shows nothing.
  tenant_.limits().card_count = 1;
  EXPECT_NE(run(part).find("init 100\ncount 0 0\n"), std::string::npos) << run(part);
}

TEST_F(TenantsTest, Scenario10_NoVisibleDeviceIsTheDriversError) {
  Environment tenant = world_.Interposed(&tenant_);
  Environment bare = world_.Bare();
  tenant.emplace_back("CUDA_VISIBLE_DEVICES", "-1");
  bare.emplace_back("CUDA_VISIBLE_DEVICES", "-1");
  const auto command = TenantCommand("lookup2", {"init", "count"});
  EXPECT_EQ(RunProgram(command, tenant).out, RunProgram(command, bare).out);
}

// Directories that cannot be used: a call fails, the process does not.
class ClosedTenantTest : public TenantsTest {
 protected:
  void ExpectClosed() {
    const Ran ran = Run({"init", "say=goes-on"});
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.err, "");
    EXPECT_NE(ran.out.find("init 304\ngoes-on\n"), std::string::npos) << ran.out;
  }
};

TEST_F(ClosedTenantTest, Scenario07_Missing) {
  std::filesystem::remove_all(tenant_.path());
  ExpectClosed();
}

TEST_F(ClosedTenantTest, Scenario07_MissingFile) {
  std::filesystem::remove(tenant_.limits_file());
  ExpectClosed();
}

TEST_F(ClosedTenantTest, Scenario07_Truncated) {
  ASSERT_EQ(truncate(tenant_.usage_file().c_str(), 8192), 0);
  ExpectClosed();
  ASSERT_EQ(truncate(tenant_.limits_file().c_str(), 0), 0);
  ExpectClosed();
}

TEST_F(ClosedTenantTest, Scenario07_OfAnotherVersion) {
  tenant_.usage().major = abi::kUsageMajor + 1;
  ExpectClosed();
}

TEST_F(ClosedTenantTest, Scenario07_Unreadable) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
  chmod(tenant_.usage_file().c_str(), 0600);
  const Ran ran = Run({"setuid=65534", "init", "say=goes-on"});
  EXPECT_NE(ran.out.find("init 304\ngoes-on\n"), std::string::npos) << ran.out;
}

// The slot's page cannot be made: an error at cuInit, not a SIGBUS later.
TEST_F(ClosedTenantTest, Scenario07_OnAFullFileSystem) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root to mount a small file system";
  const std::string script =
      "mount --make-rprivate / && cp -r " + tenant_.path() + " /tmp/tenant.$$ && " +
      "mount -t tmpfs -o size=8k none " + tenant_.path() + " && cd " + tenant_.path() + " && " +
      "cp /tmp/tenant.$$/limits . && head -c 4096 /tmp/tenant.$$/usage > usage && " +
      "truncate -s " + std::to_string(sizeof(abi::UsagePageV1)) + " usage && " +
      "rm -r /tmp/tenant.$$ && exec " + kTenantProgram + " lookup2 find init say=goes-on";
  const Ran ran = RunProgram({"unshare", "-m", "sh", "-c", script}, world_.Interposed(&tenant_));
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("init 304\ngoes-on\n"), std::string::npos) << ran.out << ran.err;
}

TEST_F(ClosedTenantTest, Scenario07_TheReasonIsInTheLog) {
  tenant_.limits().magic = 0;
  Environment environment = world_.Interposed(&tenant_);
  environment.emplace_back(abi::kEnvLog, tenant_.path() + "/log:error");
  RunProgram(TenantCommand("lookup2", {"init"}), environment);
  const Ran log = RunProgram({"cat", tenant_.path() + "/log"}, {});
  EXPECT_NE(log.out.find("limits: is no limits page of version 1"), std::string::npos) << log.out;
}

TEST_F(TenantsTest, TheTraceTellsEveryCharge) {
  Environment environment = world_.Interposed(&tenant_);
  environment.emplace_back(abi::kEnvLog, tenant_.path() + "/log:trace");
  RunProgram(TenantCommand("lookup2",
                           {"init", "context=0", "alloc=" + kMost, "alloc=" + kWhole, "free=0"}),
             environment);
  const Ran log = RunProgram({"cat", tenant_.path() + "/log"}, {});
  EXPECT_NE(log.out.find("charged " + kMost + " bytes on card 0"), std::string::npos) << log.out;
  EXPECT_NE(log.out.find("refused " + kWhole + " bytes on card 0"), std::string::npos) << log.out;
  EXPECT_NE(log.out.find("gave back " + kMost + " bytes on card 0"), std::string::npos) << log.out;
}

TEST_F(TenantsTest, NoSharedPageIsMappedBeforeTheFirstCudaCall) {
  EXPECT_NE(Run("linked", {"maps=" + tenant_.path(), "init", "maps=" + tenant_.path()})
                .out.find("mappings 0\ninit 0\nmappings 2\n"),
            std::string::npos);
}

}  // namespace
}  // namespace warpshare::testing

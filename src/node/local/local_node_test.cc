// The program itself, with real tenant folders, mappings and futexes. Whoever waits does so for a
// word or for a process; a test that does not come to its end has failed.
#include "node/local/local_node.h"

#include <gtest/gtest.h>
#include <signal.h>

#include "node/local/testing/fake_tenant.h"
#include "node/local/testing/node_process.h"

namespace warpshare::node {
namespace {

using Mode = abi::ComputeMode;
constexpr uint64_t kMs = 1'000'000;
constexpr platform::ComputeTerms kWeighted = {.mode = Mode::kWeighted, .weight = 1};
constexpr platform::ComputeTerms kHard = {.mode = Mode::kHard, .share_permille = 300, .weight = 1};

class LocalNodeTest : public TenancyFixture {
 protected:
  FakeTenant Tenant(const char* name, const platform::ComputeTerms& terms = kWeighted) {
    return FakeTenant(std::move(Enter(Request(name)).value()), terms);
  }

  const StateDir state_ = State();
};

TEST_F(LocalNodeTest, TenantsTakeTurns) {
  FakeTenant first = Tenant("first");
  FakeTenant second = Tenant("second");
  NodeProcess node(state_);
  ASSERT_TRUE(node.AwaitReady());
  for (int turn = 0; turn < 3; ++turn) {
    first.AwaitTurn();
    first.WorkFor(3 * kMs);
    second.AwaitTurn();
    EXPECT_FALSE(first.MayRun());
    second.WorkFor(3 * kMs);
  }
}

TEST_F(LocalNodeTest, ATenantThatComesLaterIsServedAtOnce) {
  NodeProcess node(state_);
  ASSERT_TRUE(node.AwaitReady());
  FakeTenant tenant = Tenant("later");
  tenant.AwaitServed();
  tenant.Leave(state_);
  tenant.AwaitUnserved();
  Tenant("later").AwaitServed();
}

TEST_F(LocalNodeTest, TermsAreTakenUpWhenTheyChange) {
  FakeTenant tenant = Tenant("changes", {});
  NodeProcess node(state_);
  ASSERT_TRUE(node.AwaitReady());
  EXPECT_EQ(tenant.turn().valid_until_ns, 0u) << "it has no terms";
  tenant.SetTerms(kHard);
  tenant.AwaitServed();
  tenant.SetTerms({});
  tenant.AwaitUnserved();
}

TEST_F(LocalNodeTest, WhenItIsToldToEndNobodyWaitsForIt) {
  const FakeTenant tenant = Tenant("told");
  NodeProcess node(state_);
  ASSERT_TRUE(node.AwaitReady());
  const uint32_t word = tenant.turn().word;
  node.Signal(SIGTERM);
  EXPECT_EQ(node.AwaitEnd(), 0);
  EXPECT_EQ(tenant.turn().valid_until_ns, 0u);
  EXPECT_NE(tenant.turn().word, word) << "who slept on it is told";
}

TEST_F(LocalNodeTest, Scenario12_WhenItIsKilledItsWordSoonIsNoneAndAnotherGoesOn) {
  FakeTenant tenant = Tenant("killed");
  {
    NodeProcess node(state_);
    tenant.AwaitServed();
    node.Signal(SIGKILL);
    EXPECT_EQ(node.AwaitEnd(), 128 + SIGKILL);
  }
  EXPECT_LE(tenant.turn().valid_until_ns, MonotonicNs() + 500 * kMs);
  const uint64_t valid_until_ns = tenant.turn().valid_until_ns;
  NodeProcess another(state_);
  ASSERT_TRUE(another.AwaitReady());
  FakeTenant rival = Tenant("rival");
  rival.AwaitTurn();
  rival.WorkFor(3 * kMs);
  tenant.AwaitTurn();
  EXPECT_GT(tenant.turn().valid_until_ns, valid_until_ns);
}

TEST_F(LocalNodeTest, AUsageFileCutShortHarmsNobodyElse) {
  FakeTenant evil = Tenant("evil");
  FakeTenant first = Tenant("first");
  FakeTenant second = Tenant("second");
  NodeProcess node(state_);
  evil.AwaitServed();
  evil.CutUsageShort();
  for (int turn = 0; turn < 3; ++turn) {
    first.AwaitTurn();
    first.WorkFor(3 * kMs);
    second.AwaitTurn();
    second.WorkFor(3 * kMs);
  }
  node.Signal(SIGTERM);
  EXPECT_EQ(node.AwaitEnd(), 0);
}

TEST_F(LocalNodeTest, TenantsThatCannotBeServedAreLoggedOnceAndOthersServed) {
  const FakeTenant old = Tenant("old");
  ASSERT_EQ(truncate(old.dir().limits_path().c_str(), 4095), 0);
  const FakeTenant bare = Tenant("bare");
  std::filesystem::remove(bare.dir().usage_path());
  NodeProcess node(state_);
  for (const char* name : {"a", "b", "c"}) Tenant(name).AwaitServed();  // it looks for each
  EXPECT_EQ(CountInLog(state_, "tenant old: "), 1u) << NodeLog(state_);
  EXPECT_EQ(CountInLog(state_, "tenant bare: "), 1u) << NodeLog(state_);
}

TEST_F(LocalNodeTest, ThereIsOneForAStateFolder) {
  NodeProcess node(state_);
  ASSERT_TRUE(node.AwaitReady());
  NodeProcess second(state_);
  EXPECT_FALSE(second.AwaitReady());
  EXPECT_EQ(second.AwaitEnd(), 0);
  EXPECT_EQ(CountInLog(state_, "running already"), 1u);
}

TEST_F(LocalNodeTest, EndsWhenNobodySharesACardAnyMore) {
  FakeTenant tenant = Tenant("last");
  const FakeTenant without_terms = Tenant("free", {});
  NodeProcess node(state_, "0.01");
  tenant.AwaitServed();
  tenant.Leave(state_);
  EXPECT_EQ(node.AwaitEnd(), 0);
}

TEST_F(LocalNodeTest, EndsWhenItsFolderIsGone) {
  NodeProcess node(state_);
  ASSERT_TRUE(node.AwaitReady());
  std::filesystem::remove_all(state_.path());
  EXPECT_EQ(node.AwaitEnd(), 0);
}

}  // namespace
}  // namespace warpshare::node

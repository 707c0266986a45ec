#include "node/device_plugin/held_parts.h"

#include "node/device_plugin/fake/plugin_fixture.h"
#include "node/tenancy/fake/tenancy_fixture.h"

namespace warpshare::node {
namespace {

using request::ContainerKind;

class HeldPartsTest : public PluginFixture {
 protected:
  HeldPart Held(size_t card = 0) {
    const auto parts = FindHeldParts(source_, Tenants(), *taken_);
    EXPECT_TRUE(parts);
    return parts && parts->contains(cards_[card].uuid) ? parts->at(cards_[card].uuid) : HeldPart{};
  }
  std::vector<ContainerTenant> Tenants() { return ContainerTenants(state_); }

  const StateDir state_ = StateDir::Open(root_ + "/state", IfMissing::kMake).value();
};

TEST_F(HeldPartsTest, APodCountsInItsPeakFromItsBindingOn) {
  const std::vector containers = {Asks("prepare", 30_GiB, 50, ContainerKind::kInit),
                                  Asks("main", 2_GiB, 20), Asks("other", 3_GiB, 10)};
  AddPod("u1", containers, AssignmentOf(containers, 0));
  const HeldPart peak{.memory = 30_GiB, .cores_percent = 50};
  EXPECT_EQ(Held(), peak) << "nothing of it has started";
  StartPlugin();
  ASSERT_TRUE(Admit("u1"));
  for (const char* container : {"prepare", "main", "other"}) {
    ASSERT_TRUE(kubelet_->StartContainer("u1", container));
    EXPECT_EQ(Held(), peak) << container;
  }
  EXPECT_EQ(Held(1), HeldPart{});
}

TEST_F(HeldPartsTest, WhatWasEditedAfterTheStartIsNotWhatItHas) {
  StartPlugin();
  Bind("u1", 4_GiB, 30, 0);
  ASSERT_TRUE(kubelet_->StartContainer("u1", "main"));
  source_.Edit("u1", AssignmentOf({Asks("main", 8_GiB, 30)}, 0));
  EXPECT_EQ(Held(), (HeldPart{.memory = 4_GiB, .cores_percent = 30}));
}

TEST_F(HeldPartsTest, APodThatIsGoneCountsWhileProcessesOfItAreThere) {
  StartPlugin();
  Bind("u1", 4_GiB, 30, 0);
  ASSERT_TRUE(kubelet_->StartContainer("u1", "main"));
  {
    const FakeProcess process(Tenants().at(0).dir.usage_path(), 0);
    source_.Remove("u1");
    EXPECT_EQ(Held(), (HeldPart{.memory = 4_GiB, .cores_percent = 30}));
  }
}

TEST_F(HeldPartsTest, APodWithoutCardsHoldsNoneWhateverIsWrittenOnIt) {
  AddPod("u1", {{.name = "main", .compute = {}}}, AssignmentOf({Asks("main", 40_GiB)}, 0));
  EXPECT_EQ(Held(), HeldPart{});
}

TEST_F(HeldPartsTest, NothingIsSaidBeforeThePodsAreKnown) {
  source_.StopAnswering();
  EXPECT_FALSE(FindHeldParts(source_, Tenants(), *taken_));
}

}  // namespace
}  // namespace warpshare::node

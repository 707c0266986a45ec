#include "cluster/inventory/bound_pod.h"

#include <gtest/gtest.h>

#include "cluster/inventory/testing/cluster_objects.h"
#include "pods/pod_json.h"
#include "policy/request/warpshare_names.h"

namespace warpshare::cluster {
namespace {

Result<place::PodHold> HoldOf(const PodWords& words) {
  const auto document = json::Document::Parse(PodObject(words));
  const request::PodView view = pods::PodViewOf(document->root());
  auto bound = ReadBoundPod(view, *request::ParseWarpshareNames(view));
  if (!bound) return Forward(bound);
  return bound->hold;
}

TEST(BoundPod, HoldsWhatItsAssignmentSays) {
  const auto hold =
      HoldOf({.cores = 30, .node = "n1", .assignment = AssignmentText(1, 2, "4GiB", "30:hard")});
  ASSERT_TRUE(hold) << hold.error().message;
  EXPECT_EQ(hold->node, "n1");
  ASSERT_EQ(hold->cards.size(), 1u);
  EXPECT_EQ(hold->cards[0].uuid, CardOf(1, 2));
  EXPECT_EQ(hold->cards[0].hold.memory, int64_t{4} << 30);
  EXPECT_EQ(hold->cards[0].hold.cores, 30);
}

TEST(BoundPod, ThatAsksForNoCardsNeedsNoAssignment) {
  const auto hold = HoldOf({.cards = 0, .node = "n1"});
  ASSERT_TRUE(hold);
  EXPECT_TRUE(hold->cards.empty());
}

TEST(BoundPod, WithoutAssignmentCamePastTheScheduler) {
  EXPECT_EQ(HoldOf({.node = "n1"}).error().code, Errc::kNotFound);
}

TEST(BoundPod, MayHaveAnotherAmountThanItAsksForNow) {
  for (const char* memory : {"3GiB", "5GiB"})
    EXPECT_TRUE(HoldOf({.node = "n1", .assignment = AssignmentText(1, 0, memory)})) << memory;
  EXPECT_TRUE(HoldOf({.node = "n1", .assignment = AssignmentText(1, 0, "4GiB", "10:hard")}));
}

TEST(BoundPod, AnEditedAssignmentCountsOnlyForTheCardsOfTheSpec) {
  const std::string bad[] = {
      "nonsense",
      "v1;n1",
      AssignmentText(2, 0),
      AssignmentText(1, 0, "4GiB", "100:whole"),
      AssignmentText(1, 0) + "+" + CardOf(1, 1).Text() + ":4GiB:0:weighted",
  };
  for (const std::string& text : bad)
    EXPECT_FALSE(HoldOf({.node = "n1", .assignment = text})) << text;
}

TEST(BoundPod, NoCardIsAsLargeAsAnEditedAssignmentMaySay) {
  EXPECT_TRUE(HoldOf(
      {.memory_gib = 0, .node = "n1", .assignment = AssignmentText(1, 0, "16GiB", "100:whole")}));
  EXPECT_FALSE(HoldOf({.memory_gib = 0,
                       .node = "n1",
                       .assignment = AssignmentText(1, 0, "16777215TiB", "100:whole")}));
}

}  // namespace
}  // namespace warpshare::cluster

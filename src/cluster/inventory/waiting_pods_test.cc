#include "cluster/inventory/waiting_pods.h"

#include <gtest/gtest.h>

#include <vector>

namespace warpshare::cluster {
namespace {

class WaitingPodsTest : public testing::Test {
 protected:
  void Set(const std::string& uid, int32_t priority = 0, const std::string& scheduler = "s",
           bool is_untried = true) {
    request::PodView pod{.uid = uid};
    pod.queue = {.scheduler = scheduler, .is_untried = is_untried};
    pods_.Set(pod, {.pod_uid = uid, .priority = priority});
  }
  std::vector<std::string> Newcomers() const {
    std::vector<std::string> uids;
    for (const auto& [turn, uid] : pods_.newcomers()) uids.push_back(uid);
    return uids;
  }

  WaitingPods pods_;
};

using Uids = std::vector<std::string>;

TEST_F(WaitingPodsTest, NewcomersStandByPriorityAndArrivalForEachScheduler) {
  Set("b");
  Set("a");
  Set("urgent", 5);
  Set("other", 9, "t");
  EXPECT_EQ(Newcomers(), (Uids{"urgent", "b", "a", "other"}));
}

TEST_F(WaitingPodsTest, AChangedPodKeepsItsTurn) {
  Set("a");
  Set("b");
  Set("a");
  EXPECT_EQ(Newcomers(), (Uids{"a", "b"}));
}

TEST_F(WaitingPodsTest, WhoWasAskedAboutIsNoNewcomerAgain) {
  Set("a");
  pods_.NoteAskedAbout("a");
  Set("a");
  EXPECT_EQ(Newcomers(), Uids{});
  EXPECT_NE(pods_.Find("a"), nullptr);
}

TEST_F(WaitingPodsTest, WhoIsHeldBackComesWhenItIsLetGo) {
  Set("gated", 0, "s", false);
  Set("a");
  EXPECT_EQ(Newcomers(), Uids{"a"});
  Set("gated");
  EXPECT_EQ(Newcomers(), (Uids{"a", "gated"}));
}

TEST_F(WaitingPodsTest, WhoIsGoneOrWasTriedIsNoNewcomer) {
  Set("gone");
  Set("tried");
  pods_.Erase("gone");
  Set("tried", 0, "s", false);
  EXPECT_EQ(Newcomers(), Uids{});
  EXPECT_EQ(pods_.Find("gone"), nullptr);
  pods_.NoteAskedAbout("nobody");
}

}  // namespace
}  // namespace warpshare::cluster

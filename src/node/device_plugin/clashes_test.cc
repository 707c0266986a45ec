#include "node/device_plugin/clashes.h"

#include "node/device_plugin/fake/plugin_fixture.h"

namespace warpshare::node {
namespace {

class ClashesTest : public PluginFixture {
 protected:
  void Look() {
    taken_->Look();
    clashes_.Look();
  }

  Clashes clashes_{StateDir::Open(root_ + "/state", IfMissing::kMake).value(),
                   {.source = source_, .taken = *taken_, .voice = voice_, .log = log_}};
};

TEST_F(ClashesTest, APodWhoseCardIsTakenIsToldOnceForEachTime) {
  const auto bind = [&](const std::string& uid, size_t card) {
    const std::vector containers = {Asks("main", 4_GiB, 30)};
    AddPod(uid, containers, AssignmentOf(containers, card));
  };
  bind("u1", 0);
  bind("u2", 1);
  Look();
  EXPECT_TRUE(voice_.Warnings().empty());
  others_->Give("a", {"0"});
  Look();
  Look();
  ASSERT_EQ(voice_.Warnings().size(), 1u);
  EXPECT_TRUE(voice_.Warnings()[0].starts_with("CardTaken: " + cards_[0].uuid.ShortText() +
                                               " was given to pod default/a"))
      << voice_.Warnings()[0];
  EXPECT_TRUE(log_.Has("default/pod-u1"));
  others_->Give("a", {});
  Look();
  others_->Give("b", {"0"});
  Look();
  EXPECT_EQ(voice_.Warnings().size(), 2u);
}

TEST_F(ClashesTest, NobodyIsToldWhileThePodsAreNotKnown) {
  others_->Give("a", {"0"});
  source_.StopAnswering();
  Look();
  EXPECT_TRUE(voice_.Warnings().empty());
}

}  // namespace
}  // namespace warpshare::node

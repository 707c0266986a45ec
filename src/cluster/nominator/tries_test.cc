#include "cluster/nominator/tries.h"

#include <gtest/gtest.h>

namespace warpshare::cluster {
namespace {

using Nodes = std::vector<place::NodeId>;

class TriesTest : public testing::Test {
 protected:
  void Name(const std::string& uid, uint64_t kind, place::NodeId node) {
    tries_.NoteNamed(uid, kind, node, now_);
  }
  bool May(const std::string& uid, uint64_t kind) { return tries_.MayTry(uid, kind, now_); }

  Tries::Time now_{std::chrono::seconds(1000)};
  Tries tries_;
};

TEST_F(TriesTest, APodIsNamedThreeNodesAndNoMore) {
  for (place::NodeId node = 1; node <= 3; ++node) {
    ASSERT_TRUE(May("a", 7));
    Name("a", 7, node);
  }
  EXPECT_FALSE(May("a", 7));
  EXPECT_EQ(tries_.Of("a"), Nodes({1, 2, 3}));
  EXPECT_TRUE(May("b", 7));
}

TEST_F(TriesTest, WhatWasTakenCountsForNothing) {
  for (place::NodeId node = 1; node <= 3; ++node) Name("a", 7, node);
  tries_.NoteHeard("a", 7);
  EXPECT_TRUE(May("a", 7));
  EXPECT_EQ(tries_.Of("a"), Nodes());
}

TEST_F(TriesTest, AKindThatIsRefusedEightTimesInARowIsLeftAlone) {
  // Of three, two are known to have been refused.
  for (const char* uid : {"a", "b", "c", "d"}) {
    EXPECT_TRUE(May(uid, 7));
    for (place::NodeId node = 1; node <= 3; ++node) Name(uid, 7, node);
  }
  EXPECT_FALSE(May("e", 7));
  EXPECT_TRUE(May("e", 8)) << "another kind";
}

TEST_F(TriesTest, OneOfAKindThatIsTakenSpeaksForAll) {
  for (const char* uid : {"a", "b", "c", "d"})
    for (place::NodeId node = 1; node <= 3; ++node) Name(uid, 7, node);
  tries_.NoteHeard("d", 7);
  EXPECT_TRUE(May("e", 7));
}

TEST_F(TriesTest, AMinuteLaterAllIsForgotten) {
  for (const char* uid : {"a", "b", "c", "d"})
    for (place::NodeId node = 1; node <= 3; ++node) Name(uid, 7, node);
  now_ += std::chrono::seconds(61);
  EXPECT_TRUE(May("a", 7));
  EXPECT_EQ(tries_.Of("a"), Nodes());
}

}  // namespace
}  // namespace warpshare::cluster

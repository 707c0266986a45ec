#include "cluster/nominator/alike.h"

#include <gtest/gtest.h>

#include "cluster/extender/node_lookup.h"

namespace warpshare::cluster {
namespace {

using Nodes = Alike::Nodes;
constexpr platform::Clock::Time kNow{std::chrono::seconds(100)};

TEST(AlikeTest, PodsOfAKindMayGoWhereTheLastOneMight) {
  Alike alike;
  alike.Learn(7, Nodes{1, 2}, kNow);
  alike.Learn(7, Nodes{2, kUnknownNode, 3}, kNow);
  alike.Learn(8, Nodes{4}, kNow);
  ASSERT_NE(alike.NodesFor(7, kNow), nullptr);
  EXPECT_EQ(*alike.NodesFor(7, kNow), (Nodes{2, 3}));
  EXPECT_EQ(alike.NodesFor(9, kNow), nullptr);
}

TEST(AlikeTest, WhatWasSaidTenSecondsAgoIsNotKnownAnyMore) {
  Alike alike;
  alike.Learn(7, Nodes{1}, kNow);
  EXPECT_NE(alike.NodesFor(7, kNow + std::chrono::seconds(10)), nullptr);
  EXPECT_EQ(alike.NodesFor(7, kNow + std::chrono::milliseconds(10'001)), nullptr);
}

TEST(AlikeTest, NothingIsLearntOfPodsWhoseNodesDependOnMoreThanTheirSpec) {
  Alike alike;
  alike.Learn(0, Nodes{1}, kNow);
  EXPECT_EQ(alike.NodesFor(0, kNow), nullptr);
}

TEST(AlikeTest, TheKindSeenLongestAgoMakesRoomForAnother) {
  Alike alike;
  for (uint64_t kind = 1; kind <= 65; ++kind)
    alike.Learn(kind, Nodes{1}, kNow + std::chrono::milliseconds(kind));
  const auto now = kNow + std::chrono::seconds(1);
  EXPECT_EQ(alike.NodesFor(1, now), nullptr);
  EXPECT_NE(alike.NodesFor(2, now), nullptr);
  EXPECT_NE(alike.NodesFor(65, now), nullptr);
}

}  // namespace
}  // namespace warpshare::cluster

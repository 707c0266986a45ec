#include "policy/place/outlook.h"

#include <gtest/gtest.h>

#include "policy/place/testing/small_cluster.h"
#include "policy/place/waste_table.h"

namespace warpshare::place {
namespace {

TEST(WasteTable, WhatNobodyFitsInIsWasted) {
  SizeMix mix = {};
  mix[40] = 1;
  const WasteTable waste = ExpectedWaste(mix);
  EXPECT_FLOAT_EQ(waste[39], 390);
  EXPECT_NEAR(waste[40], 0, 1);
  EXPECT_NEAR(waste[80], 0, 1);
  EXPECT_NEAR(waste[100], 200, 1);
}

TEST(WasteTable, RareTakersFillAGapOnlySometimes) {
  SizeMix mix = {};
  mix[19] = 0.01;
  mix[100] = 0.99;
  const WasteTable waste = ExpectedWaste(mix);
  EXPECT_GT(waste[19], 150);
  EXPECT_LT(waste[19], 190);
  EXPECT_NEAR(waste[100], 0, 2);
}

TEST(Outlook, OfNobodyIsThatNothingIsWasted) {
  SmallCluster cluster({MakeNode(1, 1)});
  cluster.outlook = Foresee(cluster.demand, cluster.ledger);
  EXPECT_EQ(WasteOf(cluster.outlook, cluster.ledger.card(0)), 0);
  EXPECT_EQ(StrandedByCpu(cluster.outlook, 1'000, 0), 0);
}

TEST(Outlook, CardsWithoutProcessorsAreStranded) {
  SmallCluster cluster({MakeNode(1, 1)});
  request::Request request = Pod({Whole(1)});
  request.host.cpu_milli = 10'000;
  cluster.Learn(request, 10);
  EXPECT_NEAR(StrandedByCpu(cluster.outlook, 2'000, 10'000), 1'000, 10);
  EXPECT_NEAR(StrandedByCpu(cluster.outlook, 2'000, 100'000), 0, 1);
  EXPECT_NEAR(StrandedByCpu(cluster.outlook, 2'000, -10'000), 3'000, 1);
  EXPECT_GT(StrandedByCpu(cluster.outlook, 2'000, 20'000), 100);  // just enough is a risk
}

TEST(Outlook, OldPodsCountLess) {
  Demand demand;
  for (int i = 0; i < static_cast<int>(kHalfLifePods); ++i) demand.Observe(Pod({Part(1_GiB)}));
  for (int i = 0; i < static_cast<int>(kHalfLifePods); ++i) demand.Observe(Pod({Part(2_GiB)}));
  ASSERT_EQ(demand.classes().size(), 2u);
  EXPECT_NEAR(demand.classes()[1].weight / demand.classes()[0].weight, 2, 0.01);
}

TEST(Outlook, NoMoreClassesAreKeptThanItsBound) {
  Demand demand;
  for (uint64_t i = 1; i <= 2 * kMaxClasses; ++i) demand.Observe(Pod({Part(Bytes(i << 20))}));
  EXPECT_EQ(demand.classes().size(), kMaxClasses);
}

TEST(Outlook, APodWhoseContainersWantNoCardsIsOneWithout) {
  Demand demand;
  request::Request request = Pod({{.name = "plain"}});
  request.host.cpu_milli = 2'000;
  demand.Observe(request);
  EXPECT_TRUE(demand.classes().empty());
  EXPECT_NEAR(demand.cpu_milli_without_cards(), 2'000, 1);
}

}  // namespace
}  // namespace warpshare::place

#include "policy/place/filter.h"

#include <gtest/gtest.h>

#include "policy/place/testing/small_cluster.h"

namespace warpshare::place {
namespace {

using request::ContainerKind;

Verdict JudgeOne(SmallCluster& cluster, const request::Request& request) {
  return cluster.Judge(request).at(0);
}

TEST(Filter, AReasonIsThatOfTheMostPromisingCard) {
  request::Request other_model = Pod({Part(1_GiB)});
  other_model.wishes.use_models = {"A100"};
  request::Request other_card = Pod({Part(1_GiB)});
  other_card.wishes.use_uuids = {Uuid(9, 9)};
  request::Request not_this = Pod({Part(14_GiB)});
  not_this.wishes.avoid_uuids = {Uuid(1, 1)};
  const struct {
    request::Request request;
    Verdict verdict;
  } table[] = {
      {Pod({Part(16_GiB)}), {Reason::kNone, false}},
      {Pod({Part(8_GiB, 60)}), {Reason::kNone, false}},
      {Pod({Part(17_GiB)}), {Reason::kCardTooSmall, true}},
      {Pod({Part(9_GiB, 0, 2)}), {Reason::kTooFewCards, false}},
      {Pod({Whole(2)}), {Reason::kTooFewCards, false}},
      {Pod({Whole(3)}), {Reason::kTooFewCards, true}},
      {other_model, {Reason::kWrongModel, true}},
      {other_card, {Reason::kWrongCard, true}},
      {not_this, {Reason::kNoMemory, false}},
  };
  SmallCluster cluster({MakeNode(1, 2)});
  cluster.Bind("busy", Pod({Part(8_GiB, 50)}));
  for (const auto& [request, verdict] : table) EXPECT_EQ(JudgeOne(cluster, request), verdict);
}

TEST(Filter, WhatATenantHoldsKeepsOthersAway) {
  const struct {
    request::ContainerRequest tenant;
    request::ContainerRequest wants;
    Reason reason;
  } table[] = {
      {Part(1_GiB), Whole(1), Reason::kNotEmpty},
      {Whole(1), Part(1_GiB), Reason::kNoCores},
      {Part(12_GiB), Part(5_GiB), Reason::kNoMemory},
      {Part(1_GiB, 60), Part(1_GiB, 41), Reason::kNoCores},
      {Part(1_GiB, 60), Part(1_GiB, 40), Reason::kNone},
      {Part(1_GiB, 100), Part(1_GiB), Reason::kNoCores},
      {Part(1_GiB), Part(1_GiB, 100), Reason::kNoCores},
      {Part(1_GiB), Part(1_GiB, 99), Reason::kNone},
      {Part(1_GiB), Part(15_GiB), Reason::kNone},
  };
  for (const auto& row : table) {
    SmallCluster cluster({MakeNode(1, 1)});
    cluster.Bind("tenant", Pod({row.tenant}));
    EXPECT_EQ(JudgeOne(cluster, Pod({row.wants})).reason, row.reason) << ReasonWord(row.reason);
  }
}

TEST(Filter, ACardTakesNoMoreContainersThanItHasSlots) {
  NodeSpec node = MakeNode(1, 1);
  node.cards[0].slots = 2;
  SmallCluster cluster({node});
  cluster.Bind("a", Pod({Part(1_GiB)}));
  EXPECT_EQ(JudgeOne(cluster, Pod({Part(1_GiB)})).reason, Reason::kNone);
  cluster.Bind("b", Pod({Part(1_GiB)}));
  EXPECT_EQ(JudgeOne(cluster, Pod({Part(1_GiB)})).reason, Reason::kNoSlots);
}

TEST(Filter, AnUnhealthyCardTakesNothingUntilItIsWellAgain) {
  SmallCluster cluster({MakeNode(1, 1)});
  cluster.ledger.SetHealth(Uuid(1, 0), false);
  EXPECT_EQ(JudgeOne(cluster, Pod({Part(1_GiB)})), (Verdict{Reason::kUnhealthy, false}));
  cluster.ledger.SetHealth(Uuid(1, 0), true);
  EXPECT_EQ(JudgeOne(cluster, Pod({Part(1_GiB)})).reason, Reason::kNone);
}

TEST(Filter, ContainersOfAPodFitOnlyTogether) {
  SmallCluster cluster({MakeNode(1, 1)});
  EXPECT_EQ(JudgeOne(cluster, Pod({Part(8_GiB), Part(8_GiB)})).reason, Reason::kNone);
  EXPECT_EQ(JudgeOne(cluster, Pod({Part(8_GiB), Part(9_GiB)})).reason, Reason::kContainers);
}

TEST(Filter, InitContainersRunOneAfterTheOther) {
  request::ContainerRequest init = Part(10_GiB);
  init.kind = ContainerKind::kInit;
  request::ContainerRequest sidecar = Part(6_GiB);
  sidecar.kind = ContainerKind::kSidecar;
  SmallCluster cluster({MakeNode(1, 1)});
  EXPECT_EQ(JudgeOne(cluster, Pod({init, init, Part(16_GiB)})).reason, Reason::kNone);
  EXPECT_EQ(JudgeOne(cluster, Pod({sidecar, init, Part(10_GiB)})).reason, Reason::kNone);
  init.memory = MemoryAmount::Of(11_GiB);
  EXPECT_EQ(JudgeOne(cluster, Pod({sidecar, init})).reason, Reason::kContainers);
  EXPECT_EQ(JudgeOne(cluster, Pod({init, sidecar})).reason, Reason::kNone);
}

TEST(Filter, CardsOfOneNumaNodeAreThatOrNothing) {
  NodeSpec node = MakeNode(1, 4);
  for (size_t i = 0; i < 4; ++i) node.cards[i].numa_node = i < 2 ? 0 : 1;
  SmallCluster cluster({node});
  request::Request pair = Pod({Whole(2)});
  pair.wishes.one_numa_node = true;
  EXPECT_EQ(JudgeOne(cluster, pair).reason, Reason::kNone);
  request::Request three = Pod({Whole(3)});
  three.wishes.one_numa_node = true;
  EXPECT_EQ(JudgeOne(cluster, three).reason, Reason::kNoNumaNode);
}

TEST(Filter, HostsAreLookedAtOnlyWhenAsked) {
  NodeSpec node = MakeNode(1, 1);
  node.cpu_milli = 4'000;
  node.memory = 8_GiB;
  SmallCluster cluster({node});
  request::Request request = Pod({Part(1_GiB)});
  request.host = {.cpu_milli = 5'000, .memory = 1_GiB};
  EXPECT_EQ(JudgeOne(cluster, request).reason, Reason::kNone);
  std::vector<Verdict> verdicts;
  Filter(cluster.ledger, MakeShape(request, cluster.ledger), cluster.nodes, HostCheck::kLook,
         verdicts);
  EXPECT_EQ(verdicts[0].reason, Reason::kNoHostCpu);
}

TEST(Filter, ANodeWithoutCardsOrUnknownIsToldApart) {
  SmallCluster cluster({MakeNode(1, 0), MakeNode(2, 1)});
  cluster.ledger.RemoveNode("n2");
  const auto verdicts = cluster.Judge(Pod({Part(1_GiB)}));
  EXPECT_EQ(verdicts[0], (Verdict{Reason::kNoCards, true}));
  EXPECT_EQ(verdicts[1], (Verdict{Reason::kNoNode, false}));
}

}  // namespace
}  // namespace warpshare::place

#include "policy/place/rank.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "policy/place/testing/small_cluster.h"

namespace warpshare::place {
namespace {

using request::Policy;

std::vector<GpuUuid> CardsOf(const request::Assignment& assignment) {
  std::vector<GpuUuid> uuids;
  for (const auto& container : assignment.containers)
    for (const auto& card : container.cards) uuids.push_back(card.uuid);
  std::sort(uuids.begin(), uuids.end());
  return uuids;
}

request::Request With(request::Request request, Policy node, Policy card) {
  request.wishes.node_policy = node;
  request.wishes.card_policy = card;
  return request;
}

TEST(Rank, BinpackGoesWhereLeastIsLeftAndSpreadWhereMostIs) {
  SmallCluster cluster({MakeNode(1, 2), MakeNode(2, 2)});
  EXPECT_EQ(cluster.Bind("a", With(Pod({Part(4_GiB)}), Policy::kSpread, Policy::kSpread)).node,
            "n1");
  EXPECT_EQ(cluster.Bind("b", With(Pod({Part(4_GiB)}), Policy::kSpread, Policy::kSpread)).node,
            "n2");
  const auto packed =
      cluster.Bind("c", With(Pod({Part(4_GiB)}), Policy::kBinpack, Policy::kBinpack));
  EXPECT_EQ(packed.node, "n1");
  EXPECT_EQ(CardsOf(packed), (std::vector{Uuid(1, 0)}));
  const auto apart = cluster.Bind("d", With(Pod({Part(4_GiB)}), Policy::kBinpack, Policy::kSpread));
  EXPECT_EQ(apart.node, "n1");
  EXPECT_EQ(CardsOf(apart), (std::vector{Uuid(1, 1)}));
}

TEST(Rank, CardsOfAPodAreTakenFromTheSmallestLinkedGroup) {
  NodeSpec node = MakeNode(1, 6);
  const uint16_t groups[] = {1, 2, 1, 2, 1, 1};
  for (size_t i = 0; i < 6; ++i) node.cards[i].link_group = groups[i];
  SmallCluster cluster({node});
  EXPECT_EQ(CardsOf(cluster.Bind("a", Pod({Whole(2)}))), (std::vector{Uuid(1, 1), Uuid(1, 3)}));
  EXPECT_EQ(CardsOf(cluster.Bind("b", Pod({Whole(3)}))),
            (std::vector{Uuid(1, 0), Uuid(1, 2), Uuid(1, 4)}));
}

TEST(Rank, TopologyChoosesTheNodeWhoseCardsAreLinked) {
  NodeSpec linked = MakeNode(2, 2);
  for (CardSpec& card : linked.cards) card.link_group = 1;
  SmallCluster cluster({MakeNode(1, 2), linked});
  EXPECT_EQ(cluster.Bind("a", With(Pod({Whole(2)}), Policy::kTopology, Policy::kTopology)).node,
            "n2");
}

TEST(Rank, FitClosesAGapThatItFillsExactly) {
  SmallCluster cluster({MakeNode(1, 3)});
  for (const Bytes size : {4_GiB, 6_GiB, 10_GiB}) cluster.Learn(Pod({Part(size)}), 20);
  cluster.Bind("ten", With(Pod({Part(10_GiB)}), Policy::kFit, Policy::kSpread));
  cluster.Bind("four", With(Pod({Part(4_GiB)}), Policy::kFit, Policy::kSpread));
  EXPECT_EQ(CardsOf(cluster.Bind("six", Pod({Part(6_GiB)}))), (std::vector{Uuid(1, 0)}));
}

TEST(Rank, FitKeepsAScarceModelForThoseWhoNeedIt) {
  SmallCluster cluster({MakeNode(1, 2, "V100"), MakeNode(2, 2, "T4")});
  EXPECT_EQ(cluster.Best(Pod({Whole(1)}))->node, cluster.nodes[0]);
  request::Request picky = Pod({Whole(1)});
  picky.wishes.use_models = {"V100"};
  cluster.Learn(picky, 50);
  cluster.Learn(Pod({Whole(1)}), 10);
  EXPECT_EQ(cluster.Best(Pod({Whole(1)}))->node, cluster.nodes[1]);
}

TEST(Rank, FitLeavesProcessorsWhereCardsAreFree) {
  NodeSpec plenty = MakeNode(2, 2);
  plenty.cpu_milli = 100'000;
  NodeSpec scarce = MakeNode(1, 2);
  scarce.cpu_milli = 20'000;
  SmallCluster cluster({scarce, plenty});
  request::Request usual = Pod({Whole(1)});
  usual.host.cpu_milli = 10'000;
  cluster.Learn(usual, 50);
  request::Request hungry = Pod({Whole(1)});
  hungry.host.cpu_milli = 18'000;
  EXPECT_EQ(cluster.Best(hungry)->node, cluster.nodes[1]);
  request::Request without_cards = Pod({});
  without_cards.host.cpu_milli = 15'000;
  EXPECT_EQ(cluster.Best(without_cards)->node, cluster.nodes[1]);
}

TEST(Rank, FitDoesNotBreakABlockThatWholePodsNeed) {
  SmallCluster cluster({MakeNode(1, 4), MakeNode(2, 2)});
  cluster.Learn(Pod({Whole(4)}), 10);
  cluster.Learn(Pod({Whole(1)}), 10);
  EXPECT_EQ(cluster.Best(Pod({Whole(1)}))->node, cluster.nodes[1]);
}

TEST(Rank, OneNodeAloneHasTheBestScore) {
  SmallCluster cluster({MakeNode(1, 2), MakeNode(2, 2), MakeNode(3, 2), MakeNode(4, 1)});
  cluster.Bind("full", With(Pod({Whole(2)}), Policy::kBinpack, Policy::kBinpack));
  const request::Request request = Pod({Whole(2)});
  const Shape shape = MakeShape(request, cluster.ledger);
  Placer placer(cluster.ledger, cluster.outlook, shape);
  std::vector<int64_t> scores;
  Score(placer, cluster.nodes, scores);
  EXPECT_EQ(scores, (std::vector<int64_t>{-1, kBestScore, kSecondScore, -1}));
}

TEST(Rank, AnInitContainerUsesWhatItsPodHoldsLater) {
  request::ContainerRequest init = Part(8_GiB);
  init.name = "init";
  init.kind = request::ContainerKind::kInit;
  SmallCluster cluster({MakeNode(1, 2)});
  const auto assignment = cluster.Bind("a", Pod({init, Part(8_GiB)}));
  EXPECT_EQ(assignment.Find("init")->cards[0].uuid, assignment.Find("main")->cards[0].uuid);
  EXPECT_EQ(cluster.ledger.FindHold("a")->cards,
            (std::vector<HeldCard>{{.uuid = Uuid(1, 0),
                                    .hold = {.memory = static_cast<int64_t>((8_GiB).count()),
                                             .slots = 1,
                                             .unpromised = 1}}}));
}

}  // namespace
}  // namespace warpshare::place

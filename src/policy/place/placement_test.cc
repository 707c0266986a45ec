#include "policy/place/placement.h"

#include <gtest/gtest.h>

#include "policy/place/testing/random_cluster.h"

namespace warpshare::place {
namespace {

bool IsOneCard(const request::Request& pod) {
  return pod.containers.size() == 1 && pod.containers[0].cards == 1;
}

// As it is, with an init container before it that asks for the same, and so gets the same card.
request::Request WithInit(request::Request pod) {
  request::ContainerRequest init = pod.containers[0];
  init.kind = request::ContainerKind::kInit;
  pod.containers.insert(pod.containers.begin(), init);
  return pod;
}

// Pods of one card go a shorter way through the Placer than others.
TEST(Placement, APodOfOneCardGoesWhereItWouldWithAnInitContainerThatAsksForNoMore) {
  Chance chance(7);
  size_t compared = 0;
  for (uint32_t round = 0; round < 4'000; ++round) {
    SmallCluster cluster({RandomNode(chance, 1)});
    for (uint32_t tenant = chance.Below(6); tenant > 0; --tenant)
      cluster.Bind("t" + std::to_string(tenant), RandomPod(chance));
    cluster.Learn(RandomPod(chance), 1 + static_cast<int>(chance.Below(20)));
    const request::Request pod = RandomPod(chance);
    if (!IsOneCard(pod)) continue;
    const Shape alone = MakeShape(pod, cluster.ledger);
    const Shape after_init = MakeShape(WithInit(pod), cluster.ledger);
    Placement placement;
    Placement expected;
    const bool fits = Placer(cluster.ledger, cluster.outlook, alone).Place(0, placement);
    ASSERT_EQ(fits, Placer(cluster.ledger, cluster.outlook, after_init).Place(0, expected));
    if (!fits) continue;
    ++compared;
    ASSERT_EQ(placement.cost, expected.cost);
    ASSERT_EQ(placement.cards.size(), 1u);
    ASSERT_EQ(placement.cards[0].card, expected.cards[0].card);
    ASSERT_EQ(placement.holds.size(), expected.holds.size());
    ASSERT_EQ(placement.holds[0].hold, expected.holds[0].hold);
  }
  EXPECT_GT(compared, 500u);
}

}  // namespace
}  // namespace warpshare::place

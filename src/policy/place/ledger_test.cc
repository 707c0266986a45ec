#include "policy/place/ledger.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "policy/place/testing/small_cluster.h"

namespace warpshare::place {
namespace {

constexpr int64_t kGiB = int64_t{1} << 30;

PodHold HoldOn(const char* node, const GpuUuid& card, int64_t gib) {
  return {.node = node,
          .cards = {{.uuid = card, .hold = {.memory = gib * kGiB, .slots = 1, .unpromised = 1}}}};
}

int64_t FreeGiB(const Ledger& ledger, const GpuUuid& card) {
  return ledger.card(*ledger.FindCard(card)).memory_free / kGiB;
}

TEST(Ledger, AReservationThatDoesNotFitChangesNothing) {
  SmallCluster cluster({MakeNode(1, 1)});
  EXPECT_TRUE(cluster.ledger.Reserve("a", HoldOn("n1", Uuid(1, 0), 10), 5));
  EXPECT_FALSE(cluster.ledger.Reserve("b", HoldOn("n1", Uuid(1, 0), 7), 5));
  EXPECT_FALSE(cluster.ledger.Reserve("b", HoldOn("n2", Uuid(1, 0), 1), 5));
  EXPECT_FALSE(cluster.ledger.Reserve("b", HoldOn("n1", Uuid(9, 0), 1), 5));
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(1, 0)), 6);
  EXPECT_EQ(cluster.ledger.pod_count(), 1u);
}

TEST(Ledger, APodReservesAnewInPlaceOfWhatItHad) {
  SmallCluster cluster({MakeNode(1, 2)});
  EXPECT_TRUE(cluster.ledger.Reserve("a", HoldOn("n1", Uuid(1, 0), 10), 5));
  EXPECT_TRUE(cluster.ledger.Reserve("a", HoldOn("n1", Uuid(1, 0), 16), 5));
  EXPECT_FALSE(cluster.ledger.Reserve("a", HoldOn("n1", Uuid(1, 1), 17), 5));
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(1, 0)), 0);
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(1, 1)), 16);
}

TEST(Ledger, OnlyAReservationThatWasNotCommittedExpires) {
  SmallCluster cluster({MakeNode(1, 1)});
  cluster.ledger.Reserve("kept", HoldOn("n1", Uuid(1, 0), 1), 5);
  cluster.ledger.Reserve("late", HoldOn("n1", Uuid(1, 0), 1), 5);
  cluster.ledger.Reserve("later", HoldOn("n1", Uuid(1, 0), 1), 6);
  EXPECT_TRUE(cluster.ledger.Commit("kept"));
  EXPECT_EQ(cluster.ledger.Expire(5), std::vector<std::string>{"late"});
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(1, 0)), 14);
  EXPECT_FALSE(cluster.ledger.Commit("late"));
}

// More than a card's small numbers hold: who forged that many pods gets no card of theirs, and all
// is as before when they are gone.
TEST(Ledger, NoNumberOfForgedPodsMakesRoomOrLosesIt) {
  NodeSpec spec = MakeNode(1, 1);
  spec.cpu_milli = 8'000;
  spec.memory = 64_GiB;
  SmallCluster cluster({spec});
  PodHold forged = HoldOn("n1", Uuid(1, 0), 1);
  forged.cards[0].hold = {
      .memory = int64_t{1} << 61, .cores = 30'000, .slots = 30'000, .unpromised = 60'000};
  forged.host = {.cpu_milli = UINT64_MAX, .memory = Bytes(UINT64_MAX)};
  cluster.ledger.Adopt("honest", HoldOn("n1", Uuid(1, 0), 1));
  for (int i = 0; i < 5; ++i) {
    cluster.ledger.Adopt("forged-" + std::to_string(i), forged);
    EXPECT_NE(cluster.Judge(Pod({Part(1_GiB, 1)}))[0].reason, Reason::kNone);
  }
  for (int i = 0; i < 5; ++i) cluster.ledger.Release("forged-" + std::to_string(i));
  const Card& card = cluster.ledger.card(*cluster.ledger.FindCard(Uuid(1, 0)));
  EXPECT_EQ(card.memory_free, 15 * kGiB);
  EXPECT_EQ(card.cores_free, 100);
  EXPECT_EQ(card.tenants, 1);
  EXPECT_EQ(cluster.ledger.node(cluster.nodes[0]).cpu_free_milli, 8'000);
  EXPECT_EQ(cluster.ledger.node(cluster.nodes[0]).memory_free, 64 * kGiB);
}

TEST(Ledger, WhatANodeReportsIsHeldEvenOverItsSize) {
  SmallCluster cluster({MakeNode(1, 1)});
  cluster.ledger.Adopt("a", HoldOn("n1", Uuid(1, 0), 10));
  cluster.ledger.Adopt("b", HoldOn("n1", Uuid(1, 0), 10));
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(1, 0)), -4);
  EXPECT_EQ(cluster.Judge(Pod({Part(1_GiB)}))[0].reason, Reason::kNoMemory);
  EXPECT_TRUE(cluster.ledger.Release("a"));
  EXPECT_FALSE(cluster.ledger.Release("a"));
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(1, 0)), 6);
}

TEST(Ledger, PodsAreThereAgainWhenTheirNodeIs) {
  SmallCluster cluster({MakeNode(1, 1)});
  cluster.ledger.Adopt("a", HoldOn("n1", Uuid(1, 0), 10));
  cluster.ledger.Adopt("early", HoldOn("n2", Uuid(2, 0), 3));
  cluster.ledger.RemoveNode("n1");
  cluster.ledger.SetNode(MakeNode(2, 1));
  cluster.ledger.SetNode(MakeNode(1, 2));
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(1, 0)), 6);
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(2, 0)), 13);
  cluster.ledger.SetNode(MakeNode(1, 2));
  EXPECT_EQ(FreeGiB(cluster.ledger, Uuid(1, 0)), 6);
}

TEST(Ledger, AnAssignmentReadBackHoldsWhatThePlacementHeld) {
  request::ContainerRequest init = Part(12_GiB, 30);
  init.name = "init";
  init.kind = request::ContainerKind::kInit;
  request::ContainerRequest sidecar = Part(2_GiB);
  sidecar.name = "sidecar";
  sidecar.kind = request::ContainerKind::kSidecar;
  const request::Request request = Pod({sidecar, init, Part(4_GiB, 20, 2)});
  SmallCluster cluster({MakeNode(1, 2)});
  const auto assignment = cluster.Bind("a", request);
  auto held = *cluster.ledger.FindHold("a");
  auto read = HoldOf(request, assignment);
  const auto by_uuid = [](const HeldCard& a, const HeldCard& b) { return a.uuid < b.uuid; };
  std::sort(held.cards.begin(), held.cards.end(), by_uuid);
  std::sort(read.cards.begin(), read.cards.end(), by_uuid);
  EXPECT_EQ(held, read);
}

// Random pods come and go on random cards; a second set of books is kept the simple way.
class Churn {
 public:
  explicit Churn(uint64_t seed) : random_(seed), cluster_(Specs()) {}

  void Step(int step) {
    if (Draw(3) == 0 && !pods_.empty()) {
      const auto gone = std::next(pods_.begin(), static_cast<long>(Draw(pods_.size())));
      EXPECT_TRUE(cluster_.ledger.Release(gone->first));
      pods_.erase(gone);
      return;
    }
    const std::string uid = std::to_string(step);
    const request::Request request = RandomPod();
    if (cluster_.Bind(uid, request).node.empty()) return;
    pods_.emplace(uid, *cluster_.ledger.FindHold(uid));
  }

  void Check() {
    Ledger anew;
    for (const NodeSpec& spec : Specs()) anew.SetNode(spec);
    for (const auto& [uid, hold] : pods_) ASSERT_TRUE(anew.Reserve(uid, hold, 0)) << uid;
    for (const NodeSpec& spec : Specs())
      for (const CardSpec& card : spec.cards) Compare(anew, card.uuid);
  }

 private:
  static std::vector<NodeSpec> Specs() { return {MakeNode(1, 4), MakeNode(2, 2), MakeNode(3, 1)}; }

  uint64_t Draw(uint64_t below) { return random_() % below; }

  request::ContainerRequest RandomContainer() {
    if (Draw(4) == 0) return Whole(static_cast<uint32_t>(1 + Draw(2)));
    request::ContainerRequest container =
        Part(Bytes((1 + Draw(17)) << 30), static_cast<uint32_t>(Draw(2) * (1 + Draw(100))),
             static_cast<uint32_t>(1 + Draw(3)));
    container.kind = static_cast<request::ContainerKind>(Draw(3));
    return container;
  }

  request::Request RandomPod() {
    request::Request request;
    for (uint64_t i = 0; i <= Draw(3); ++i) {
      request.containers.push_back(RandomContainer());
      request.containers.back().name = "c" + std::to_string(i);
    }
    const auto policy = static_cast<request::Policy>(Draw(4));
    request.wishes.node_policy = request.wishes.card_policy = policy;
    cluster_.demand.Observe(request);
    if (IsStale(cluster_.outlook, cluster_.demand))
      cluster_.outlook = Foresee(cluster_.demand, cluster_.ledger);
    return request;
  }

  void Compare(const Ledger& anew, const GpuUuid& uuid) const {
    const Card& card = cluster_.ledger.card(*cluster_.ledger.FindCard(uuid));
    const Card& other = anew.card(*anew.FindCard(uuid));
    EXPECT_GE(card.memory_free, 0);
    EXPECT_GE(card.cores_free, 0);
    EXPECT_GE(card.slots_free, 0);
    EXPECT_EQ(card.memory_free, other.memory_free);
    EXPECT_EQ(card.cores_free, other.cores_free);
    EXPECT_EQ(card.slots_free, other.slots_free);
    EXPECT_EQ(card.tenants, other.tenants);
    EXPECT_EQ(card.unpromised, other.unpromised);
    EXPECT_EQ(card.level, other.level);
  }

  std::mt19937_64 random_;
  SmallCluster cluster_;
  std::map<std::string, PodHold> pods_;
};

TEST(Ledger, WhateverComesAndGoesNoCardIsGivenTwice) {
  for (const uint64_t seed : {1, 2, 3, 4, 5}) {
    SCOPED_TRACE(seed);
    Churn churn(seed);
    for (int step = 0; step < 2'000; ++step) {
      churn.Step(step);
      if (step % 50 == 0) churn.Check();
    }
    churn.Check();
  }
}

}  // namespace
}  // namespace warpshare::place

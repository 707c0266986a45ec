#include "policy/place/standings.h"

#include <gtest/gtest.h>

#include "policy/place/testing/random_cluster.h"

namespace warpshare::place {
namespace {

constexpr uint8_t kNodes = 24;
constexpr size_t kSteps = 600;

// A cluster that changes at random, and pods that come again and again.
class Story {
 public:
  Story(uint32_t seed, size_t demands) : chance_(seed), cluster_({}), standings_(cluster_.ledger) {
    for (uint8_t number = 1; number <= kNodes; ++number)
      cluster_.ledger.SetNode(RandomNode(chance_, number));
    while (pods_.size() < demands) pods_.push_back(RandomPod(chance_));
  }

  void Step() {
    Change();
    const request::Request& pod = chance_.Of(pods_);
    const std::vector<NodeId> asked = Asked();
    const Shape shape = MakeShape(pod, cluster_.ledger);
    for (const HostCheck check : {HostCheck::kSkip, HostCheck::kLook}) {
      std::vector<Verdict> expected;
      std::vector<Verdict> verdicts;
      Filter(cluster_.ledger, shape, asked, check, expected);
      standings_.Filter(shape, asked, check, verdicts);
      ASSERT_EQ(verdicts, expected);
      ExpectSameBest(shape, asked, verdicts);
    }
    if (const auto best = standings_.FindBest(cluster_.outlook, shape, asked))
      cluster_.ledger.Reserve(NewUid(), HoldOf(pod, cluster_.ledger, best->node, best->placement),
                              0);
  }

 private:
  std::string NewUid() {
    uids_.push_back("u" + std::to_string(uids_.size()));
    return uids_.back();
  }

  // Known, unknown and absent nodes, some of them, in any order.
  std::vector<NodeId> Asked() {
    std::vector<NodeId> ids = {UINT32_MAX};
    for (NodeId id = 0; id < cluster_.ledger.node_ids(); ++id)
      if (!chance_.OneIn(5)) ids.push_back(id);
    chance_.Shuffle(ids);
    return ids;
  }

  void ExpectSameBest(const Shape& shape, const std::vector<NodeId>& asked,
                      const std::vector<Verdict>& verdicts) {
    std::vector<NodeId> fitting;
    for (size_t i = 0; i < asked.size(); ++i)
      if (verdicts[i].reason == Reason::kNone) fitting.push_back(asked[i]);
    Placer placer(cluster_.ledger, cluster_.outlook, shape);
    const auto expected = FindBest(placer, fitting);
    const auto best = standings_.FindBest(cluster_.outlook, shape, fitting);
    ASSERT_EQ(best.has_value(), expected.has_value());
    if (!best) return;
    EXPECT_EQ(best->node, expected->node);
    EXPECT_EQ(best->placement.cost, expected->placement.cost);
    EXPECT_TRUE(std::ranges::equal(best->placement.cards, expected->placement.cards, {},
                                   &ChosenCard::card, &ChosenCard::card));
    EXPECT_TRUE(std::ranges::equal(best->placement.holds, expected->placement.holds, {},
                                   &ChosenHold::hold, &ChosenHold::hold));
  }

  void Change() {
    const auto number = static_cast<uint8_t>(1 + chance_.Below(kNodes));
    switch (chance_.Below(6)) {
      case 0:
        return SetOrRemove(number);
      case 1:
        return cluster_.ledger.SetHealth(Uuid(number, 0), chance_.OneIn(2));
      case 2:
        return Resize(number);
      case 3:
        return cluster_.Learn(chance_.Of(pods_), 1);
      default:
        if (!uids_.empty()) cluster_.ledger.Release(chance_.Of(uids_));
    }
  }

  // Whoever comes next has the id of one that went.
  void SetOrRemove(uint8_t number) {
    if (chance_.OneIn(2)) return cluster_.ledger.SetNode(RandomNode(chance_, number));
    cluster_.ledger.RemoveNode("n" + std::to_string(number));
  }

  // What the node says counts, whether it fits or not.
  void Resize(uint8_t number) {
    if (uids_.empty()) return;
    const CardHold hold{.memory = static_cast<int64_t>(chance_.Below(30)) << 30,
                        .cores = static_cast<int16_t>(chance_.Below(120)),
                        .slots = 1};
    cluster_.ledger.Adopt(chance_.Of(uids_), {.node = "n" + std::to_string(number),
                                              .cards = {{.uuid = Uuid(number, 0), .hold = hold}}});
  }

  Chance chance_;
  SmallCluster cluster_;
  Standings standings_;
  std::vector<request::Request> pods_;
  std::vector<std::string> uids_;
};

TEST(Standings, AnswerAsALookAtEveryNodeWouldWhateverHappensBetween) {
  for (uint32_t seed = 1; seed <= 12 && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Story story(seed, 8);
    for (size_t step = 0; step < kSteps && !testing::Test::HasFailure(); ++step) story.Step();
  }
}

TEST(Standings, AnswerSoToMoreDemandsThanAreKept) {
  Story story(99, kMostDemands + 20);
  for (size_t step = 0; step < 2 * kSteps && !testing::Test::HasFailure(); ++step) story.Step();
}

}  // namespace
}  // namespace warpshare::place

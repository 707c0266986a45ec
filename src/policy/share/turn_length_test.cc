#include "policy/share/turn_length.h"

#include <gtest/gtest.h>

namespace warpshare::share {
namespace {

TEST(TurnLength, IsShortWhereAHandoverCostsLittleOrIsNotKnown) {
  for (const uint64_t handover_ns : {0u, 30'000u, 40'000u}) {
    for (const size_t in_play : {0u, 1u, 2u, 8u})
      EXPECT_EQ(QuantumNs(handover_ns, in_play), 2'500'000u) << handover_ns << ' ' << in_play;
    for (const uint32_t share : {1u, 50u, 500u, 1000u})
      EXPECT_EQ(StartNs(handover_ns, share), 2'000'000u) << handover_ns << ' ' << share;
  }
}

TEST(TurnLength, GrowsWithWhatAHandoverCosts) {
  EXPECT_EQ(QuantumNs(100'000, 2), 6'250'000u);  // 1.6 % of it
  EXPECT_EQ(QuantumNs(160'000, 2), 10'000'000u);
  EXPECT_EQ(StartNs(144'000, 500), 3'000'000u);
  EXPECT_EQ(StartNs(192'000, 500), 4'000'000u);
}

TEST(TurnLength, IsShorterAmongManyAsEachOfThemLosesLess) {
  EXPECT_EQ(QuantumNs(120'000, 2), 7'500'000u);
  EXPECT_EQ(QuantumNs(120'000, 3), 5'000'000u);
  EXPECT_EQ(QuantumNs(120'000, 60), 5'000'000u);
}

TEST(TurnLength, LetsSmallAndLargeSharesStartSoonerAsTheyChangeLessOften) {
  EXPECT_EQ(StartNs(200'000, 50), 2'000'000u);
  EXPECT_EQ(StartNs(200'000, 950), 2'000'000u);
  EXPECT_EQ(StartNs(240'000, 300), 4'200'000u);
}

TEST(TurnLength, HasABoundWhateverAHandoverCosts) {
  EXPECT_EQ(QuantumNs(1'000'000'000, 2), 12'000'000u);
  EXPECT_EQ(StartNs(1'000'000'000, 500), 7'000'000u);
  EXPECT_EQ(StartNs(1'000'000'000, 100), 3'000'000u);
}

}  // namespace
}  // namespace warpshare::share

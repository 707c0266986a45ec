#include "interposer/accounts/rounding.h"

#include <gtest/gtest.h>

namespace warpshare::interposer {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

TEST(Rounding, AssumesBeforeItHasSeenAnything) {
  const Rounding rule;
  EXPECT_EQ(rule.Most(1000, 512), 1024u);
  EXPECT_EQ(rule.Least(1000), 1000u);
}

TEST(Rounding, KnowsAPowerThatOneAnswerGivesAway) {
  Rounding rule;
  rule.Learn(1, 32 * kMiB);
  EXPECT_EQ(rule.Most(1, 512), 32 * kMiB);
  EXPECT_EQ(rule.Least(33 * kMiB), 64 * kMiB);
}

TEST(Rounding, KeepsEveryPowerThatExplainsTheAnswersSoFar) {
  Rounding rule;
  rule.Learn(1000, 1024);  // 32 to 1024
  EXPECT_EQ(rule.Least(1), 32u);
  EXPECT_EQ(rule.Most(1, 512), 1024u);
  rule.Learn(1100, 1536);  // 512 alone
  EXPECT_EQ(rule.Least(1), 512u);
  EXPECT_EQ(rule.Most(1, 64), 512u);
}

TEST(Rounding, IsExactWhenOnePowerIsLeft) {
  Rounding rule;
  EXPECT_FALSE(rule.IsExact());
  rule.Learn(1000, 1024);
  EXPECT_FALSE(rule.IsExact());
  rule.Learn(1100, 1536);
  EXPECT_TRUE(rule.IsExact());
}

TEST(Rounding, StartsAnewWhenAnAnswerContradicts) {
  Rounding rule;
  rule.Learn(1, 64);
  rule.Learn(1, 4096);
  EXPECT_EQ(rule.Most(1, 512), 4096u);
}

TEST(Rounding, LearnsNothingFromAnswersThatNoPowerExplains) {
  Rounding rule;
  rule.Learn(1000, 1200);
  rule.Learn(1000, 10);
  rule.Learn(0, 10);
  EXPECT_EQ(rule.Most(1000, 512), 1024u);
}

TEST(Rounding, SaysMoreThanAnyLimitWhereASizeOverflows) {
  EXPECT_EQ(RoundUp(UINT64_MAX - 3, 512), UINT64_MAX);
}

}  // namespace
}  // namespace warpshare::interposer

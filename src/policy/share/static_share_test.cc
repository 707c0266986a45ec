#include "policy/share/static_share.h"

#include <gtest/gtest.h>

namespace warpshare::share {
namespace {

constexpr Terms Hard(uint32_t permille) {
  return {.mode = Mode::kHard, .share_permille = permille};
}
constexpr Terms Weighted(uint32_t weight) { return {.mode = Mode::kWeighted, .weight = weight}; }
constexpr Terms kHigh = {.mode = Mode::kPriority, .priority = Priority::kHigh};

TEST(StaticShares, AreByWeightOfWhatTheGuaranteedLeave) {
  const struct {
    std::vector<Terms> terms;
    std::vector<uint32_t> shares;
  } table[] = {
      {{}, {}},
      {{Weighted(1)}, {1000}},
      {{Weighted(1), Weighted(3)}, {250, 750}},
      {{Hard(400), Weighted(1), Weighted(2)}, {400, 200, 400}},
      {{kHigh, Weighted(1)}, {500, 500}},
      {{Hard(1000), Weighted(16)}, {1000, 10}},
      {{Hard(700), Hard(700), kHigh}, {700, 700, 10}},
  };
  for (const auto& [terms, shares] : table) EXPECT_EQ(StaticShares(terms), shares);
}

TEST(StaticShares, OnlyTheGuaranteedArePromised) {
  const Terms terms[] = {
      Hard(700), {.mode = Mode::kSoft, .share_permille = 500}, Weighted(16), kHigh};
  EXPECT_EQ(SumOfGuarantees(terms), 1200u);
}

}  // namespace
}  // namespace warpshare::share

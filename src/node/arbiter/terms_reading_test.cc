#include "node/arbiter/terms_reading.h"

#include <gtest/gtest.h>

namespace warpshare::node {
namespace {

using abi::ComputeMode;
using share::Mode;
using share::Terms;

struct Words {
  ComputeMode mode = ComputeMode::kWeighted;
  uint32_t share_permille = 0;
  uint32_t weight = 1;
  uint32_t is_high = 0;
  uint64_t burst_ns = 0;
};

PageTerms Read(const Words& words, const Terms& before = {}) {
  abi::ComputeTermsV1 page{};
  page.mode = words.mode;
  page.share_permille = words.share_permille;
  page.weight = words.weight;
  page.is_high = words.is_high;
  page.burst_ns = words.burst_ns;
  return ReadTerms(page, before);
}

TEST(TermsReading, EachModeTakesWhatItKnows) {
  const struct {
    Words words;
    Terms terms;
  } cases[] = {
      {{.mode = ComputeMode::kHard, .share_permille = 300, .weight = 7, .burst_ns = 5},
       {.mode = Mode::kHard, .share_permille = 300, .burst_ns = 5}},
      {{.mode = ComputeMode::kSoft, .share_permille = 300, .weight = 7, .is_high = 1},
       {.mode = Mode::kSoft, .share_permille = 300, .weight = 7}},
      {{.mode = ComputeMode::kWeighted, .share_permille = 300, .weight = 7},
       {.mode = Mode::kWeighted, .weight = 7}},
      {{.mode = ComputeMode::kPriority, .share_permille = 300, .weight = 2, .is_high = 1},
       {.mode = Mode::kPriority, .weight = 2, .priority = share::Priority::kHigh}},
  };
  for (const auto& each : cases) EXPECT_EQ(Read(each.words), (PageTerms{true, each.terms, ""}));
}

TEST(TermsReading, ModeNoneIsNotHeldBack) {
  EXPECT_FALSE(Read({.mode = ComputeMode::kNone, .weight = 99}).is_held_back);
}

TEST(TermsReading, NonsenseLeavesTheTermsBeforeAndSaysWhy) {
  const Terms before{.mode = Mode::kHard, .share_permille = 250};
  for (const Words& words :
       {Words{.mode = static_cast<ComputeMode>(77)},
        Words{.mode = ComputeMode::kHard, .share_permille = 0},
        Words{.mode = ComputeMode::kSoft, .share_permille = 1001}, Words{.weight = 0},
        Words{.weight = 17}, Words{.burst_ns = UINT64_MAX}}) {
    const PageTerms read = Read(words, before);
    EXPECT_TRUE(read.is_held_back);
    EXPECT_EQ(read.terms, before);
    EXPECT_FALSE(read.problem.empty());
    EXPECT_EQ(Read(words).terms, Terms{}) << "weighted, weight 1, if there were none";
  }
}

}  // namespace
}  // namespace warpshare::node

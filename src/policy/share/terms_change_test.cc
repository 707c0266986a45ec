#include "policy/share/terms_change.h"

#include <gtest/gtest.h>

#include <string>

namespace warpshare::share {
namespace {

constexpr Terms kSoft = {.mode = Mode::kSoft, .share_permille = 300, .weight = 4, .burst_ns = 7};

TEST(TermsChange, TheModeFollowsFromWhatIsSaid) {
  const struct {
    TermsChange change;
    Terms terms;
  } table[] = {
      {{.share_permille = 300}, {.mode = Mode::kHard, .share_permille = 300}},
      {{.weight = 4}, {.mode = Mode::kWeighted, .weight = 4}},
      {{.priority = Priority::kHigh}, {.mode = Mode::kPriority, .priority = Priority::kHigh}},
      {{.weight = 2, .priority = Priority::kLow}, {.mode = Mode::kPriority, .weight = 2}},
      {{.mode = Mode::kSoft, .share_permille = 1, .weight = 2},
       {.mode = Mode::kSoft, .share_permille = 1, .weight = 2}},
      {{.mode = Mode::kWeighted}, {}},
  };
  for (const auto& [change, terms] : table) EXPECT_EQ(Apply(change, std::nullopt), terms);
}

TEST(TermsChange, WhatIsNotSaidStays) {
  EXPECT_EQ(Apply({.share_permille = 500}, kSoft),
            (Terms{.mode = Mode::kSoft, .share_permille = 500, .weight = 4, .burst_ns = 7}));
  EXPECT_EQ(Apply({.weight = 2}, kSoft),
            (Terms{.mode = Mode::kSoft, .share_permille = 300, .weight = 2, .burst_ns = 7}));
  EXPECT_EQ(Apply({}, kSoft), kSoft);
}

TEST(TermsChange, ANewModeKeepsWhatFitsIt) {
  EXPECT_EQ(Apply({.mode = Mode::kHard}, kSoft),
            (Terms{.mode = Mode::kHard, .share_permille = 300, .burst_ns = 7}));
  EXPECT_EQ(Apply({.mode = Mode::kWeighted}, kSoft),
            (Terms{.mode = Mode::kWeighted, .weight = 4, .burst_ns = 7}));
  EXPECT_EQ(Apply({.share_permille = 200}, Terms{.mode = Mode::kWeighted, .weight = 4}),
            (Terms{.mode = Mode::kHard, .share_permille = 200}));
  EXPECT_EQ(
      Apply({.mode = Mode::kWeighted}, Terms{.mode = Mode::kPriority, .priority = Priority::kHigh}),
      Terms{});
}

TEST(TermsChange, WhatContradictsItselfIsRefusedByName) {
  const struct {
    TermsChange change;
    std::optional<Terms> before;
    const char* field;
  } table[] = {
      {{.burst_ns = 1}, std::nullopt, "mode:"},
      {{.mode = Mode::kSoft}, std::nullopt, "share:"},
      {{.share_permille = 300, .weight = 2}, std::nullopt, "weight: hard"},
      {{.weight = 2}, Terms{.mode = Mode::kHard, .share_permille = 300}, "weight: hard"},
      {{.share_permille = 300, .priority = Priority::kHigh}, std::nullopt, "share: weighted"},
      {{.mode = Mode::kHard, .share_permille = 300, .priority = Priority::kHigh},
       std::nullopt,
       "priority:"},
  };
  for (const auto& [change, before, field] : table) {
    const auto terms = Apply(change, before);
    ASSERT_FALSE(terms) << field;
    EXPECT_TRUE(terms.error().message.starts_with(field)) << terms.error().message;
  }
}

}  // namespace
}  // namespace warpshare::share

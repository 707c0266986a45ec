#include "policy/share/cgpu_words.h"

#include <gtest/gtest.h>

namespace warpshare::share {
namespace {

TEST(CgpuWords, EachWordAndItsNumberMeansTheSameTerms) {
  const CgpuSettings settings{.max_inst = 20, .percent = 30, .weight = 4};
  const struct {
    const char* word;
    const char* number;
    Terms terms;
  } table[] = {
      {"average", "0", {.mode = Mode::kHard, .share_permille = 50}},
      {"preempt", "1", {.mode = Mode::kWeighted, .weight = 4}},
      {"weighted", "2", {.mode = Mode::kWeighted, .weight = 4}},
      {"fixed", "3", {.mode = Mode::kHard, .share_permille = 300}},
      {"weak", "4", {.mode = Mode::kSoft, .share_permille = 300}},
      {"native", "5", {.mode = Mode::kWeighted, .weight = 1}},
  };
  for (const auto& [word, number, terms] : table) {
    ASSERT_TRUE(TermsOfCgpuPolicy(word, settings)) << word;
    EXPECT_EQ(*TermsOfCgpuPolicy(word, settings), terms) << word;
    EXPECT_EQ(*TermsOfCgpuPolicy(number, settings), terms) << number;
  }
}

TEST(CgpuWords, WeakWithoutAPercentageOwnsOneSlice) {
  EXPECT_EQ(*TermsOfCgpuPolicy("weak", {.max_inst = 10}),
            (Terms{.mode = Mode::kSoft, .share_permille = 100}));
}

TEST(CgpuWords, WhatCgpuWouldNotTakeIsRefusedByName) {
  const struct {
    const char* word;
    CgpuSettings settings;
    const char* field;
  } table[] = {
      {"", {}, "policy:"},
      {"6", {}, "policy:"},
      {"Fixed", {.percent = 10}, "policy:"},
      {"fixed", {}, "percent: fixed"},
      {"fixed", {.percent = 101}, "percent: over"},
      {"average", {.max_inst = 0}, "max_inst:"},
      {"average", {.max_inst = 1001}, "max_inst:"},
      {"preempt", {.weight = 17}, "weight:"},
  };
  for (const auto& [word, settings, field] : table) {
    const auto terms = TermsOfCgpuPolicy(word, settings);
    ASSERT_FALSE(terms) << word;
    EXPECT_TRUE(terms.error().message.starts_with(field)) << terms.error().message;
  }
}

}  // namespace
}  // namespace warpshare::share

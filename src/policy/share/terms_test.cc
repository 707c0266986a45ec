#include "policy/share/terms.h"

#include <gtest/gtest.h>

#include <string>

namespace warpshare::share {
namespace {

TEST(Terms, EveryModeHasTermsThatHold) {
  const Terms good[] = {
      {},
      {.mode = Mode::kHard, .share_permille = 1},
      {.mode = Mode::kHard, .share_permille = 1000, .burst_ns = kMaxBurstNs},
      {.mode = Mode::kSoft, .share_permille = 300, .weight = 16},
      {.mode = Mode::kWeighted, .weight = 3, .latency_target_ns = kMaxLatencyTargetNs},
      {.mode = Mode::kPriority, .weight = 2},
      {.mode = Mode::kPriority, .priority = Priority::kHigh},
  };
  for (const Terms& terms : good) {
    const auto validated = Validate(terms);
    ASSERT_TRUE(validated) << validated.error().message;
    EXPECT_EQ(*validated, terms);
  }
}

TEST(Terms, WhatMakesNoSenseIsNamed) {
  const struct {
    Terms terms;
    const char* field;
  } bad[] = {
      {{.mode = Mode::kHard}, "share: hard"},
      {{.mode = Mode::kSoft, .share_permille = 1001}, "share: hard"},
      {{.mode = Mode::kWeighted, .share_permille = 300}, "share: weighted"},
      {{.mode = Mode::kPriority, .share_permille = 300}, "share: weighted"},
      {{.weight = 0}, "weight: out"},
      {{.weight = 17}, "weight: out"},
      {{.mode = Mode::kHard, .share_permille = 10, .weight = 2}, "weight: hard"},
      {{.priority = Priority::kHigh}, "priority:"},
      {{.burst_ns = kMaxBurstNs + 1}, "burst:"},
      {{.latency_target_ns = kMaxLatencyTargetNs + 1}, "latency target:"},
  };
  for (const auto& [terms, field] : bad) {
    const auto validated = Validate(terms);
    ASSERT_FALSE(validated) << field;
    EXPECT_EQ(validated.error().code, Errc::kInvalid);
    EXPECT_TRUE(validated.error().message.starts_with(field)) << validated.error().message;
  }
}

}  // namespace
}  // namespace warpshare::share

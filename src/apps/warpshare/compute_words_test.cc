#include "apps/warpshare/compute_words.h"

#include <gtest/gtest.h>

#include <string>

namespace warpshare::app {
namespace {

using share::Mode;
using share::Priority;
using share::Terms;

TEST(ComputeWords, MeanTermsForANewTenant) {
  const struct {
    ComputeWords words;
    Terms terms;
  } table[] = {
      {{.cores = "30"}, {.mode = Mode::kHard, .share_permille = 300}},
      {{.cores = "12.5%"}, {.mode = Mode::kHard, .share_permille = 125}},
      {{.cores = "0.1", .policy = "soft", .weight = "2"},
       {.mode = Mode::kSoft, .share_permille = 1, .weight = 2}},
      {{.weight = "16"}, {.mode = Mode::kWeighted, .weight = 16}},
      {{.policy = "weighted"}, {.mode = Mode::kWeighted}},
      {{.priority = "high"}, {.mode = Mode::kPriority, .priority = Priority::kHigh}},
      {{.policy = "priority"}, {.mode = Mode::kPriority}},
      {{.cores = "50", .burst = "50ms", .latency_target = "0.5ms"},
       {.mode = Mode::kHard,
        .share_permille = 500,
        .burst_ns = 50'000'000,
        .latency_target_ns = 500'000}},
      {{.cores = "30.5", .policy = "fixed"}, {.mode = Mode::kHard, .share_permille = 305}},
      {{.policy = "average"}, {.mode = Mode::kHard, .share_permille = 50}},
      {{.cores = "40", .policy = "weak"}, {.mode = Mode::kSoft, .share_permille = 400}},
      {{.policy = "preempt", .weight = "3"}, {.mode = Mode::kWeighted, .weight = 3}},
      {{.policy = "native"}, {.mode = Mode::kWeighted}},
  };
  for (const auto& [words, terms] : table) {
    const auto request = ReadCompute(words);
    ASSERT_TRUE(request) << request.error().message;
    const auto limit = node::LimitAfter(request->value(), std::nullopt);
    ASSERT_TRUE(limit) << limit.error().message;
    EXPECT_EQ(limit->value(), terms) << node::LongText(*limit);
  }
}

TEST(ComputeWords, MayBeAbsentOrLiftTheLimit) {
  EXPECT_EQ(ReadCompute({}).value(), std::nullopt);
  EXPECT_TRUE(ReadCompute({.policy = "none"}).value()->is_lifted);
}

TEST(ComputeWords, ErrorsNameTheFlagAndTheMend) {
  const struct {
    ComputeWords words;
    const char* message;
  } table[] = {
      {{.cores = "130"},
       "--cores 130: at most 100; that is the whole card, all its cores together"},
      {{.cores = "0"}, "--cores 0: at least 0.1: to stop a tenant, stop its programs"},
      {{.cores = "1.25"},
       "--cores 1.25: no percentage: write one of the card's time in steps of 0.1, such as 30 or "
       "12.5"},
      {{.weight = "17"}, "--weight 17: write a whole number from 1 to 16"},
      {{.priority = "middle"}, "--priority middle: write high or low"},
      {{.burst = "50"}, "--burst 50: no length of time: write one such as 50ms or 1.5s"},
      {{.latency_target = "11s"}, "--latency-target 11s: at most 10s"},
      {{.policy = "h\x1b"},
       "--policy h?: write hard, soft, weighted, priority or none; or as cGPU has it, average, "
       "preempt, fixed, weak or native"},
      {{.cores = "30", .policy = "average"},
       "--policy average: is a share by itself: leave --cores out, or write fixed"},
      {{.policy = "fixed"}, "--cores: fixed needs one: say 1 to 100, or another policy"},
      {{.cores = "30", .policy = "none"},
       "--policy none: is no limit at all: leave the other flags out"},
  };
  for (const auto& [words, message] : table) {
    const auto request = ReadCompute(words);
    ASSERT_FALSE(request) << message;
    EXPECT_EQ(request.error().message, message);
    EXPECT_EQ(request.error().code, Errc::kInvalid);
  }
}

TEST(ComputeWords, ErrorsOfTheTermsNameTheFlagToo) {
  const ComputeWords words = {.policy = "soft"};
  const auto limit = node::LimitAfter(ReadCompute(words)->value(), std::nullopt);
  ASSERT_FALSE(limit);
  EXPECT_EQ(NamingTheFlag(limit.error()).message,
            "--cores: hard and soft need one: say 0.1 to 100 percent of the card");
}

}  // namespace
}  // namespace warpshare::app

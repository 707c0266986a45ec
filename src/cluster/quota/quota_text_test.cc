#include "cluster/quota/quota_text.h"

#include <gtest/gtest.h>

namespace warpshare::quota {
namespace {

TEST(QuotaText, ReadsLimitsInAllAndByModel) {
  const auto limits = ParseQuotaText(
      "# team a\n"
      "cards = 8\n"
      "memory=160Gi   # of cards\n"
      "\n"
      "[NVIDIA A100]\r\n"
      "  cards = 2\n"
      "  cores = 150%\n");
  ASSERT_TRUE(limits) << limits.error().message;
  ASSERT_EQ(limits->size(), 2u);
  EXPECT_EQ(limits->at("").cards, 8u);
  EXPECT_EQ(limits->at("").memory, 160_GiB);
  EXPECT_FALSE(limits->at("").cores_percent);
  EXPECT_EQ(limits->at("NVIDIA A100").cards, 2u);
  EXPECT_EQ(limits->at("NVIDIA A100").cores_percent, 150u);
  EXPECT_TRUE(ParseQuotaText("")->empty());
  EXPECT_EQ(ParseQuotaText("memory = 1.5GiB")->at("").memory, 1536_MiB);
}

TEST(QuotaText, SaysWhichLineMakesNoSense) {
  const struct {
    const char* text;
    const char* error;
  } table[] = {
      {"cards = 1\ncards = 2", "line 2: 'cards = 2' stands there already: write it once"},
      {"cards = two", "line 1: 'cards = two' write a whole number"},
      {"cards = -1", "line 1: 'cards = -1' write a whole number"},
      {"memory = 160", "line 1: 'memory = 160' write a size, as 160Gi"},
      {"cores = 1.5", "line 1: 'cores = 1.5' write percent of a card, as 400"},
      {"gpus = 1", "line 1: 'gpus = 1' is no limit: write cards, memory or cores"},
      {"cards", "line 1: 'cards' is neither NAME = VALUE nor [MODEL]"},
      {"\n[A100", "line 2: '[A100' has no ] at its end"},
      {"[ ]", "line 1: '[ ]' names no model"},
      {"[T4]\n[T4]", "line 2: '[T4]' stands there already: write each model once"},
  };
  for (const auto& [text, error] : table) {
    const auto limits = ParseQuotaText(text);
    ASSERT_FALSE(limits) << text;
    EXPECT_EQ(limits.error().message, error);
  }
}

}  // namespace
}  // namespace warpshare::quota

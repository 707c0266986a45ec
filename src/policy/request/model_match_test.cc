#include "policy/request/model_match.h"

#include <gtest/gtest.h>

namespace warpshare::request {
namespace {

TEST(ModelMatch, AWishIsWholeWordsOfTheName) {
  const struct {
    const char* model;
    const char* wish;
    bool is;
    bool is_substring;
  } table[] = {
      {"NVIDIA A100-SXM4-80GB", "A100", true, true},
      {"NVIDIA A100-SXM4-80GB", "a100-sxm4", true, true},
      {"NVIDIA A100-SXM4-80GB", "A10", false, true},
      {"NVIDIA A100-SXM4-80GB", "80GB", true, true},
      {"NVIDIA A10", "A10", true, true},
      {"NVIDIA A100 A10", "A10", true, true},
      {"T4", "T4", true, true},
      {"T4", "T40", false, false},
      {"T4", "", false, false},
  };
  for (const auto& row : table) {
    EXPECT_EQ(IsModel(row.model, row.wish, ModelMatch::kWords), row.is) << row.wish;
    EXPECT_EQ(IsModel(row.model, row.wish, ModelMatch::kSubstring), row.is_substring) << row.wish;
  }
}

TEST(ModelMatch, AnAvoidedModelIsNotAllowedEvenWhereItIsWishedFor) {
  EXPECT_TRUE(AllowsModel({}, "NVIDIA T4"));
  EXPECT_TRUE(AllowsModel({.use_models = {"A100", "T4"}}, "NVIDIA T4"));
  EXPECT_FALSE(AllowsModel({.use_models = {"A100"}}, "NVIDIA T4"));
  EXPECT_FALSE(AllowsModel({.use_models = {"T4"}, .avoid_models = {"NVIDIA"}}, "NVIDIA T4"));
}

}  // namespace
}  // namespace warpshare::request

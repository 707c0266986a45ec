#include "policy/request/quantity.h"

#include <gtest/gtest.h>

namespace warpshare::request {
namespace {

TEST(Quantity, EachFormOfKubernetesIsRead) {
  const struct {
    const char* text;
    uint64_t units;
    uint64_t milli;
  } table[] = {
      {"0", 0, 0},
      {"4", 4, 4'000},
      {"+4", 4, 4'000},
      {"500m", 1, 500},
      {"1500m", 2, 1'500},
      {".5", 1, 500},
      {"2.", 2, 2'000},
      {"1.5Gi", 1'610'612'736, 1'610'612'736'000},
      {"1Ki", 1'024, 1'024'000},
      {"2k", 2'000, 2'000'000},
      {"3M", 3'000'000, 3'000'000'000},
      {"2e3", 2'000, 2'000'000},
      {"2E+3", 2'000, 2'000'000},
      {"25e-1", 3, 2'500},
      {"1n", 1, 1},
      {"0.0004", 1, 1},
  };
  for (const auto& [text, units, milli] : table) {
    EXPECT_EQ(QuantityInUnits(text), units) << text;
    EXPECT_EQ(QuantityInMilli(text), milli) << text;
  }
}

TEST(Quantity, WhatDoesNotFitInThousandthsMayFitInUnits) {
  EXPECT_EQ(QuantityInUnits("1E"), 1'000'000'000'000'000'000u);
  EXPECT_EQ(QuantityInMilli("1E"), std::nullopt);
}

TEST(Quantity, WhatIsNoneIsRefused) {
  for (const char* text : {"", "-1", "Gi", "1gi", "1 Gi", "1..5", "1.5.5", "0x10", "1e", "1e+",
                           "1e99", "1mm", "NaN", "1000000000000000000", "100E", "16Ei", "+", "."})
    EXPECT_EQ(QuantityInUnits(text), std::nullopt) << text;
}

}  // namespace
}  // namespace warpshare::request

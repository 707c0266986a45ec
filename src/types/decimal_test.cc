#include "types/decimal.h"

#include <gtest/gtest.h>

namespace warpshare {
namespace {

TEST(Decimal, CountsInTheSmallestPlace) {
  EXPECT_EQ(ParseDecimal("30", 1, 1000), 300u);
  EXPECT_EQ(ParseDecimal("12.5", 1, 1000), 125u);
  EXPECT_EQ(ParseDecimal("0.01", 2, 100), 1u);
  EXPECT_EQ(ParseDecimal("007", 0, 10), 7u);
  EXPECT_EQ(ParseDecimal("18446744073709551615", 0, UINT64_MAX), UINT64_MAX);
}

TEST(Decimal, EndsAtTheMost) {
  EXPECT_EQ(ParseDecimal("100", 1, 1000), 1000u);
  EXPECT_EQ(ParseDecimal("100.1", 1, 1000), std::nullopt);
  EXPECT_EQ(ParseDecimal("5", 0, 4), std::nullopt);
  EXPECT_EQ(ParseDecimal("18446744073709551616", 0, UINT64_MAX), std::nullopt);
  EXPECT_EQ(ParseDecimal("99999999999999999999999", 9, UINT64_MAX), std::nullopt);
}

TEST(Decimal, RefusesWhatIsNoPlainNumber) {
  for (const char* text :
       {"", ".", ".5", "5.", "-1", "+1", " 1", "1 ", "1.2.3", "1.23", "1e3", "x"})
    EXPECT_EQ(ParseDecimal(text, 1, 1000), std::nullopt) << text;
}

TEST(Decimal, PrintsAsShortAsItCan) {
  EXPECT_EQ(DecimalText(300, 1), "30");
  EXPECT_EQ(DecimalText(125, 1), "12.5");
  EXPECT_EQ(DecimalText(1, 3), "0.001");
  EXPECT_EQ(DecimalText(0, 3), "0");
  EXPECT_EQ(DecimalText(10, 0), "10");
}

}  // namespace
}  // namespace warpshare

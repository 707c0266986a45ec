#include "types/memory_amount.h"

#include <gtest/gtest.h>

namespace warpshare {
namespace {

TEST(MemoryAmount, TakesAShareOfEachCard) {
  EXPECT_EQ(ParseMemoryAmount("50%")->On(40_GiB), 20_GiB);
  EXPECT_EQ(ParseMemoryAmount("12.5%")->On(80_GiB), 10_GiB);
  EXPECT_EQ(ParseMemoryAmount("0.01%")->On(Bytes(10'000)), 1_B);
  EXPECT_EQ(ParseMemoryAmount("33%")->On(Bytes(10)), 3_B);
  EXPECT_EQ(ParseMemoryAmount("100%")->On(Bytes(UINT64_MAX)), Bytes(UINT64_MAX));
}

TEST(MemoryAmount, IsTheSameOnEveryCardWhenGivenInBytes) {
  EXPECT_EQ(ParseMemoryAmount("4GiB")->On(40_GiB), 4_GiB);
  EXPECT_FALSE(ParseMemoryAmount("4GiB")->is_share());
}

TEST(MemoryAmount, PrintsWhatItReadsBack) {
  for (const char* text : {"50%", "12.5%", "0.01%", "100%", "0%", "4GiB", "33.33%"})
    EXPECT_EQ(ParseMemoryAmount(text)->Text(), text);
}

TEST(MemoryAmount, RefusesSharesThatAreNone) {
  for (const char* text : {"101%", "100.01%", "%", ".5%", "5.%", "-1%", "1.234%", "50 %", "1.2.3%",
                           "50", "99999999999%", ""})
    EXPECT_EQ(ParseMemoryAmount(text), std::nullopt) << text;
}

}  // namespace
}  // namespace warpshare

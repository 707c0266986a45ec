#include "types/duration.h"

#include <gtest/gtest.h>

namespace warpshare {
namespace {

using namespace std::chrono_literals;

TEST(Duration, ReadsANumberAndAUnit) {
  EXPECT_EQ(ParseDuration("50ms"), 50ms);
  EXPECT_EQ(ParseDuration("1.5s"), 1500ms);
  EXPECT_EQ(ParseDuration("0.25us"), 250ns);
  EXPECT_EQ(ParseDuration("7ns"), 7ns);
  EXPECT_EQ(ParseDuration("0"), 0ns);
}

TEST(Duration, RefusesWhatCouldMeanSomethingElse) {
  for (const char* text : {"", "50", "ms", "s", "-1ms", "1 ms", "1m", "1h", "1.5ns", "1e3ms", "1MS",
                           "0.0000001ms", "9223372036855s", "1,5s"})
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
}

TEST(Duration, PrintsWhatItReadsBack) {
  for (const char* text : {"50ms", "1.5s", "250ns", "1.001us", "3600s", "0"})
    EXPECT_EQ(Exact(*ParseDuration(text)), text);
}

TEST(Duration, IsRoundedDownForTables) {
  EXPECT_EQ(Rounded(1'999'999'999ns), "1.9s");
  EXPECT_EQ(Rounded(12'999us), "12ms");
  EXPECT_EQ(Rounded(999ns), "999ns");
  EXPECT_EQ(Rounded(4ns), "4ns");
  EXPECT_EQ(Rounded(2ms), "2ms");
  EXPECT_EQ(Rounded(0ns), "0");
}

}  // namespace
}  // namespace warpshare

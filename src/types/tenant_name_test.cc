#include "types/tenant_name.h"

#include <gtest/gtest.h>

namespace warpshare {
namespace {

TEST(TenantName, TakesWhatIsSafeInAPathAndOnATerminal) {
  for (const char* text : {"a", "train-7", "team_a.job.2", "7", "run-4711-9f3a"})
    EXPECT_EQ(ParseTenantName(text)->text(), text);
}

TEST(TenantName, RefusesPathsEscapesAndSpaces) {
  for (const char* text :
       {"", ".", "..", "../x", "a/b", ".hidden", "-x", "_x", "a b", "a\nb", "\x1b[2J", "\xc3\xa4"})
    EXPECT_EQ(ParseTenantName(text), std::nullopt) << text;
}

TEST(TenantName, IsAtMostAsLongAsTheLimitsPageHoldsIt) {
  EXPECT_TRUE(ParseTenantName(std::string(63, 'a')));
  EXPECT_FALSE(ParseTenantName(std::string(64, 'a')));
}

}  // namespace
}  // namespace warpshare

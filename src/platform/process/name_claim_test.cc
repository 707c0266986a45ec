#include "platform/process/name_claim.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace warpshare::platform {
namespace {

// Other runs of this test have names of their own.
std::string Name(const char* what) {
  return "warpshare-name-claim-test/" + std::to_string(getpid()) + "/" + what;
}

TEST(NameClaim, OneHasANameAtATime) {
  auto first = NameClaim::Take(Name("card"));
  ASSERT_TRUE(first && *first);
  const auto second = NameClaim::Take(Name("card"));
  ASSERT_TRUE(second);
  EXPECT_FALSE(*second);
  const auto other = NameClaim::Take(Name("another"));
  EXPECT_TRUE(other && *other);
  first->reset();
  const auto third = NameClaim::Take(Name("card"));
  EXPECT_TRUE(third && *third);
}

TEST(NameClaim, ItsHolderIsFoundHoweverOftenItIsLookedFor) {
  EXPECT_FALSE(FindNameHolder(Name("card")));
  const auto claim = NameClaim::Take(Name("card"));
  ASSERT_TRUE(claim && *claim);
  for (int i = 0; i < 5'000; ++i) {
    if (i % 50 == 0) (*claim)->TidyUp();
    const auto holder = FindNameHolder(Name("card"));
    ASSERT_TRUE(holder) << i;
    EXPECT_EQ(holder->pid, getpid());
    EXPECT_EQ(holder->user, geteuid());
  }
}

}  // namespace
}  // namespace warpshare::platform

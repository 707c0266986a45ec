#include <gtest/gtest.h>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

TEST(Soft, IsOwedItsShareAndTakesPartInIdleTime) {
  const struct {
    const char* when;
    int64_t balance;
    int64_t saved;
    Claim waiting;
    Claim holding;
  } table[] = {
      {"owed a turn", Owed(2'000'000), 0, Claim::kGuaranteed, Claim::kGuaranteed},
      {"owed less than a turn", Owed(1'999'999), 0, Claim::kSurplus, Claim::kGuaranteed},
      {"in debt", Owed(-2'000'000), 0, Claim::kSurplus, Claim::kSurplus},
      {"in debt, with savings", Owed(-2'000'000), Owed(100'000), Claim::kBurst, Claim::kBurst},
  };
  for (const auto& row : table) {
    OneTenant one({.mode = Mode::kSoft, .share_permille = 300});
    one.account.balance = row.balance;
    one.account.saved = row.saved;
    EXPECT_EQ(StandingOfSoft(one.Waiting()).claim, row.waiting) << row.when;
    EXPECT_EQ(StandingOfSoft(one.Holding()).claim, row.holding) << row.when;
    EXPECT_EQ(StandingOfSoft(one.Alone()).claim, Claim::kSurplus) << row.when;
  }
}

TEST(Soft, TellsWhenItsShareWillBeDue) {
  OneTenant one({.mode = Mode::kSoft, .share_permille = 500});
  one.account.balance = Owed(-500'000);
  EXPECT_EQ(StandingOfSoft(one.Waiting()).stronger_in_ns, 5'000'001u);  // 2.5 ms at one half
}

}  // namespace
}  // namespace warpshare::share

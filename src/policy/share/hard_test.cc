#include <gtest/gtest.h>

#include "policy/share/testing/one_tenant.h"

namespace warpshare::share {
namespace {

TEST(Hard, GetsWhatItIsOwedAndWhatItSavedAndNothingElse) {
  const struct {
    const char* when;
    int64_t balance;
    int64_t saved;
    bool holds;
    Claim claim;
    Claim claim_alone;
  } table[] = {
      {"owed a turn", Owed(2'000'000), 0, false, Claim::kGuaranteed, Claim::kGuaranteed},
      {"owed less", Owed(1'999'999), 0, false, Claim::kNone, Claim::kGuaranteed},
      {"owed enough when alone", Owed(750'000), 0, false, Claim::kNone, Claim::kGuaranteed},
      {"owed too little when alone", Owed(749'999), 0, false, Claim::kNone, Claim::kNone},
      {"holds, owed some", Owed(100'000), 0, true, Claim::kGuaranteed, Claim::kGuaranteed},
      {"holds, owed next to nothing", Owed(99'999), 0, true, Claim::kNone, Claim::kNone},
      {"in debt", Owed(-2'000'000), 0, false, Claim::kNone, Claim::kNone},
      {"in debt, has savings", Owed(-1), Owed(100'000), false, Claim::kBurst, Claim::kBurst},
      {"nearly out of savings", 0, Owed(99'999), false, Claim::kNone, Claim::kNone},
  };
  for (const auto& row : table) {
    OneTenant one({.mode = Mode::kHard, .share_permille = 300});
    one.account.balance = row.balance;
    one.account.saved = row.saved;
    EXPECT_EQ(StandingOfHard(one.As(row.holds)).claim, row.claim) << row.when;
    EXPECT_EQ(StandingOfHard(one.As(row.holds, /*alone=*/true)).claim, row.claim_alone) << row.when;
  }
}

}  // namespace
}  // namespace warpshare::share

// A tenant and its account as one mode's function sees them, for tables of cases.
#pragma once

#include "policy/share/standing.h"

namespace warpshare::share {

struct OneTenant {
  explicit OneTenant(const Terms& terms) { tenant.terms = terms; }

  Candidate As(bool holds, bool alone = false) const {
    return {.tenant = tenant, .account = account, .now_ns = kNowNs, .holds = holds, .alone = alone};
  }
  Candidate Waiting() const { return As(/*holds=*/false); }
  Candidate Holding() const { return As(/*holds=*/true); }
  Candidate Alone() const { return As(/*holds=*/false, /*alone=*/true); }

  static constexpr uint64_t kNowNs = 1'000'000'000;

  // Has wanted the card for 1 ms and had it before that; owed nothing, owes nothing.
  Tenant tenant{
      .id = 1, .terms = {}, .wants = true, .since_ns = kNowNs - 1'000'000, .used_ns = 5'000'000};
  Account account{.tenant = 1,
                  .used_ns = 5'000'000,
                  .balance = 0,
                  .held_until_ns = kNowNs - 1'000'000,
                  .wants = true,
                  .since_ns = kNowNs - 1'000'000};
};

// GPU time in the units of Account::balance and saved.
constexpr int64_t Owed(int64_t ns) { return ns * kBalancePerNs; }

}  // namespace warpshare::share

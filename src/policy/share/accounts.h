// What is remembered of each tenant between two decisions. Plain values: whoever holds Accounts may
// copy them, keep them and go back.
//
// balance: of guaranteed tenants; GPU time owed to it (or by it, when negative). Grows by its share
// of the time that passes and falls by what it uses, so over any time it used its share of it, to
// within the span the balance moves in.
//
// deferred: of guaranteed tenants that are alone; owed as well, but paid into the balance slowly,
// so that nobody makes up at once for what its own program was too slow for.
//
// saved: of guaranteed tenants; what grew beyond the balance while it was idle; its burst credit.
//
// progress: of the others, and of soft tenants in idle time; GPU time used by weight, behind or
// ahead of the last one in the class. The one with the least is next.
//
// All of it is integers in units fine enough that nothing is rounded away.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "policy/share/shared_turns.h"
#include "policy/share/snapshot.h"

namespace warpshare::share {

// All but `progress` is in thousandths of a ns, so that a permille of a ns is a whole number.
inline constexpr int64_t kBalancePerNs = kWholeCard;

// `progress` is in 1/720720 ns at weight 1, which every weight to 16 divides.
inline constexpr int64_t kProgressPerNs = 720720;

struct Account {
  TenantId tenant;
  uint64_t used_ns;  // booked so far
  int64_t balance;
  int64_t deferred = 0;
  int64_t saved = 0;
  int64_t progress = 0;

  Claim claim = Claim::kNone;    // of its last turn; goes on as long as its kernels do
  uint64_t turn_charged_ns = 0;  // in that turn
  bool was_charged = false;      // by the last Advance
  uint64_t held_until_ns = 0;    // the end of that turn; 0: never had one

  // Since it took the card from somebody else, while others waited: wall time, GPU time used, and
  // what it was charged for the greater of the two.
  uint64_t contended_held_ns = 0;
  uint64_t contended_used_ns = 0;
  uint64_t contended_charged_ns = 0;

  InCompany company = {};

  bool present = true;  // in the last snapshot
  bool wants = false;
  uint64_t since_ns = 0;
  uint64_t last_gap_ns = 0;  // how long it had no work before it last had some
};

struct Accounts {
  uint64_t now_ns = 0;
  std::optional<Turn> turn;
  std::vector<Turn> beside;      // of the last snapshot
  std::vector<Account> tenants;  // by id
  SharedTurns shared;

  // Null for a tenant that no Advance has seen.
  const Account* Find(TenantId tenant) const;
};

// Books what happened since the last time: charges what was used to the claim it was used under,
// credits the guaranteed, opens the accounts of new tenants and closes those that are gone.
void Advance(Accounts& accounts, const Snapshot& snapshot);

}  // namespace warpshare::share

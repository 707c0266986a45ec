// What a tenant may ask for at one moment, by its mode. Each mode is one function in one file; what
// is owed to it stands in guarantee.h and by_weight.h.
#pragma once

#include <cstdint>

#include "policy/share/accounts.h"
#include "policy/share/snapshot.h"

namespace warpshare::share {

inline constexpr uint64_t kNever = UINT64_MAX;

struct Standing {
  Claim claim = Claim::kNone;
  int64_t merit = 0;                 // within the claim, the greater goes first
  uint64_t longest_ns = kNever;      // GPU time it may use before its claim is spent
  uint64_t stronger_in_ns = kNever;  // its claim will be stronger then, by waiting alone
  bool cuts_in = false;              // if it is the best, it waits for no turn to be over
};

// One tenant as its mode's function sees it.
struct Candidate {
  const Tenant& tenant;
  const Account& account;
  uint64_t now_ns;
  bool holds;                   // the card is its by the last decision
  bool alone;                   // nobody else has work
  int64_t mean_overdue_ns = 0;  // guarantee.h
  uint64_t handover_ns = 0;     // of the snapshot
  bool is_shared = false;       // turns are (shared_turns.h)
};

Standing StandingOfHard(const Candidate& candidate);
Standing StandingOfSoft(const Candidate& candidate);
Standing StandingOfWeighted(const Candidate& candidate);
Standing StandingOfPriority(const Candidate& candidate);

// By the tenant's mode; kNone when it is not in play.
Standing StandingOf(const Candidate& candidate);

// May it use the card beside others, if it has a claim? And it does have one: it is not held back.
bool FillsGaps(const Candidate& candidate);
bool MightRun(const Candidate& candidate);

// So long it keeps the card when it has no work.
uint64_t LingerNs(const Candidate& candidate);

// Has it work, or the card and will have work in a moment?
bool IsInPlay(const Candidate& candidate);

// Has that been so since the accounts were last advanced? Who came now was idle until now.
bool StayedInPlay(const Candidate& candidate);

// When it began to wait for the card.
uint64_t WaitingSince(const Candidate& candidate);

// Has it waited longer than its latency target?
bool IsLate(const Candidate& candidate);

}  // namespace warpshare::share

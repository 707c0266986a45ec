// Whether tenants that leave the card idle between their kernels may use it beside each other, and
// beside the one whose turn it is.
//
// In turns, a program that launches its kernels one by one, slower than the card runs them, leaves
// the rest of its turn to nobody; two that would fit on a card together have half of their speed.
// Side by side the card runs whatever is there. But then nobody can measure what its own work
// takes, and who waits for each of its kernels waits for those of others too. So it is tried, and
// goes on only as long as everybody has as much by it as by turns: a while side by side, a while in
// turns to measure, and so on; where it did not help, the next try comes later each time.
//
// Never beside a high priority or a latency target: they are promised that nobody is in the way.
#pragma once

#include <cstdint>

namespace warpshare::share {

struct Accounts;
struct Snapshot;

// Plain values, as all of Accounts.
struct SharedTurns {
  bool are_on = false;
  uint64_t company_ns = 0;      // of this while, in which at least two tenants had work
  bool were_good = false;       // the last time
  uint64_t not_before_ns = 0;   // may they be tried again
  uint64_t next_pause_ns = 0;   // ... if they are no good; 0: the first
  uint64_t turns_permille = 0;  // of the card's time in company that all had, in turns
};

// What one tenant had of that.
struct InCompany {
  uint64_t used_ns = 0;         // in this while, of company
  uint64_t held_ns = 0;         // its turns in it, while others waited ...
  uint64_t of_held_ns = 0;      // ... and what it used in them
  uint64_t turns_permille = 0;  // of the time in company, in turns
  bool had_gaps = false;        // in its turns, the last time
  bool leaves_gaps = false;     // ... twice in a row
};

// A step of the accounts, booked: the tenant has used so much, in so much time that it had the card
// for itself while others waited.
void NoteUse(InCompany& company, uint64_t used_ns, uint64_t contended_ns, bool is_in_company);

// After all of a step is booked, which took so long.
void JudgeSharedTurns(Accounts& accounts, const Snapshot& snapshot, uint64_t elapsed_ns,
                      bool is_in_company);

}  // namespace warpshare::share

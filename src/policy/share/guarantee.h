// The guaranteed part of a share: what hard and soft tenants are owed of the time that passes.
#pragma once

#include <cstdint>

#include "policy/share/standing.h"

namespace warpshare::share {

// Guaranteed while the balance is good for a turn, then on what was saved, then not at all.
Standing StandingByGuarantee(const Candidate& candidate);

// Came with work after a time without, and was not served yet: the owner is back.
bool HasJustCome(const Candidate& candidate);

// How long ago the balance had grown to a turn's worth, in ns of wall time; negative: not yet.
int64_t Overdue(const Terms& terms, const Account& account);

// Of the guaranteed in play, by share: somebody as overdue as that has had its part, whether the
// card keeps up with what it was promised or not.
class MeanOverdue {
 public:
  void Meet(const Candidate& candidate);
  int64_t Ns() const;

 private:
  int64_t balances_ = 0;
  int64_t shares_ = 0;
};

// What an idle tenant may come back with: a turn's worth, and as much more as the others are behind
// when the least of them is `least_overdue_ns` behind. It waits as long as they do, then. A hard
// one's turn's worth is that of one that is alone, unless it only `pauses`.
int64_t IdleBalance(const Terms& terms, int64_t least_overdue_ns, bool pauses = false);

// Does it run in idle time? Then its share is no question.
bool RunsInSurplus(const Candidate& candidate);

void CreditBalance(const Terms& terms, Account& account, uint64_t elapsed_ns);
void ChargeBalance(Account& account, uint64_t charged_ns);
void ChargeSaved(Account& account, uint64_t charged_ns);

// Keeps the balance within its bounds. What an idle tenant has beyond its idle balance it saves, as
// far as its terms go; what all in play are overdue beyond the most that is owed (timing.h) is
// forgotten, the same time for each of them. Who is alone has all but a little of its balance
// deferred. Without a guarantee there is nothing to keep.
void SettleBalance(const Candidate& candidate, Account& account, int64_t least_overdue_ns);

}  // namespace warpshare::share

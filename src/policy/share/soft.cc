// Soft: its share whenever it wants it; beyond that it is one of those who share idle time by
// weight. Alone it need not spend what it is owed: all the card is idle time. An owner who comes
// back does not wait for the turns of other guaranteed ones to be over, as with their work in
// flight that takes too long; it is owed a turn then, so this costs one handover for each.
#include "policy/share/by_weight.h"
#include "policy/share/guarantee.h"
#include "policy/share/standing.h"

namespace warpshare::share {

Standing StandingOfSoft(const Candidate& candidate) {
  if (candidate.alone) return StandingByWeight(candidate, Claim::kSurplus);
  Standing guaranteed = StandingByGuarantee(candidate);
  guaranteed.cuts_in = guaranteed.claim == Claim::kGuaranteed && HasJustCome(candidate);
  if (guaranteed.claim != Claim::kNone) return guaranteed;
  Standing surplus = StandingByWeight(candidate, Claim::kSurplus);
  surplus.stronger_in_ns = guaranteed.stronger_in_ns;
  return surplus;
}

}  // namespace warpshare::share

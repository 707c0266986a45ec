// Soft: its share whenever it wants it; beyond that it is one of those who share idle time by
// weight. Alone it need not spend what it is owed: all the card is idle time.
#include "policy/share/by_weight.h"
#include "policy/share/guarantee.h"
#include "policy/share/standing.h"

namespace warpshare::share {

Standing StandingOfSoft(const Candidate& candidate) {
  if (candidate.alone) return StandingByWeight(candidate, Claim::kSurplus);
  const Standing guaranteed = StandingByGuarantee(candidate);
  if (guaranteed.claim != Claim::kNone) return guaranteed;
  Standing surplus = StandingByWeight(candidate, Claim::kSurplus);
  surplus.stronger_in_ns = guaranteed.stronger_in_ns;
  return surplus;
}

}  // namespace warpshare::share

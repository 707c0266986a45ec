// Hard: its share, what it saved of it, and never anything else, even when the card is idle.
#include "policy/share/guarantee.h"
#include "policy/share/standing.h"

namespace warpshare::share {

Standing StandingOfHard(const Candidate& candidate) { return StandingByGuarantee(candidate); }

}  // namespace warpshare::share

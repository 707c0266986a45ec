// Priority: high goes before everybody, guarantees included; low gets the gaps, with the weighted.
#include "policy/share/by_weight.h"
#include "policy/share/standing.h"

namespace warpshare::share {

Standing StandingOfPriority(const Candidate& candidate) {
  return StandingByWeight(candidate,
                          IsHigh(candidate.tenant.terms) ? Claim::kHigh : Claim::kSurplus);
}

}  // namespace warpshare::share

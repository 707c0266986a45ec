// Weighted: a part by weight of the time that nobody has a stronger claim to.
#include "policy/share/by_weight.h"
#include "policy/share/standing.h"

namespace warpshare::share {

Standing StandingOfWeighted(const Candidate& candidate) {
  return StandingByWeight(candidate, Claim::kSurplus);
}

}  // namespace warpshare::share

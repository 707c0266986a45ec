#include "policy/share/by_weight.h"

#include <algorithm>

#include "policy/share/timing.h"

namespace warpshare::share {

int64_t ProgressOf(const Terms& terms, uint64_t used_ns) {
  return static_cast<int64_t>(used_ns) * (kProgressPerNs / terms.weight);
}

Pool PoolOf(const Terms& terms) {
  if (terms.mode == Mode::kHard) return Pool::kNeither;
  return IsHigh(terms) ? Pool::kHigh : Pool::kOthers;
}

Standing StandingByWeight(const Candidate& candidate, Claim claim) {
  const int64_t urgency =
      IsLate(candidate) ? ProgressOf(candidate.tenant.terms, kUrgencyByWeightNs) : 0;
  return {.claim = claim, .merit = urgency - candidate.account.progress};
}

void ChargeProgress(const Terms& terms, Account& account, uint64_t charged_ns) {
  account.progress += ProgressOf(terms, charged_ns);
}

void LastInPlay::Meet(const Candidate& candidate) {
  const Pool pool = PoolOf(candidate.tenant.terms);
  if (pool == Pool::kNeither || !StayedInPlay(candidate) || MightRun(candidate)) return;
  int64_t& last = progress_[static_cast<size_t>(pool)];
  last = std::min(last, candidate.account.progress);
}

void LastInPlay::SettleProgress(const Candidate& candidate, Account& account) const {
  const Terms& terms = candidate.tenant.terms;
  const Pool pool = PoolOf(terms);
  if (pool == Pool::kNeither) {
    account.progress = 0;
    return;
  }
  const int64_t last = progress_[static_cast<size_t>(pool)];
  if (last != kNobody)
    account.progress -= last;
  else if (MightRun(candidate))
    account.progress = 0;
  // A quantum is the least: who is idle between two kernels only must not lose its place.
  const int64_t behind = -ProgressOf(terms, std::max(kQuantumNs, terms.burst_ns));
  account.progress = std::clamp(account.progress, behind, ProgressOf(terms, kMostDebtNs));
}

}  // namespace warpshare::share

#include "policy/share/standing.h"

#include <algorithm>

#include "policy/share/timing.h"

namespace warpshare::share {

namespace {

// Out of work for a moment, by what its last gap was like. A high priority is always waited for:
// one kernel of somebody else in its way would cost it more than the wait costs them. Who fills
// gaps keeps nobody waiting.
bool Lingers(const Candidate& candidate) {
  const bool is_brief = IsHigh(candidate.tenant.terms) || FillsGaps(candidate) ||
                        candidate.account.last_gap_ns < kLingerNs;
  return (candidate.holds || FillsGaps(candidate)) && is_brief &&
         candidate.now_ns - candidate.tenant.since_ns < LingerNs(candidate);
}

}  // namespace

bool FillsGaps(const Candidate& candidate) {
  return candidate.is_shared && candidate.account.company.leaves_gaps;
}

bool MightRun(const Candidate& candidate) { return FillsGaps(candidate) && candidate.holds; }

uint64_t LingerNs(const Candidate& candidate) {
  return FillsGaps(candidate) ? kSharedLingerNs : kLingerNs;
}

bool IsInPlay(const Candidate& candidate) { return candidate.tenant.wants || Lingers(candidate); }

bool StayedInPlay(const Candidate& candidate) {
  return IsInPlay(candidate) &&
         (candidate.account.wants || candidate.holds || FillsGaps(candidate));
}

uint64_t WaitingSince(const Candidate& candidate) {
  return std::max(candidate.tenant.since_ns, candidate.account.held_until_ns);
}

bool IsLate(const Candidate& candidate) {
  const uint64_t target_ns = candidate.tenant.terms.latency_target_ns;
  return target_ns != 0 && !candidate.holds &&
         candidate.now_ns - WaitingSince(candidate) >= target_ns;
}

Standing StandingOf(const Candidate& candidate) {
  if (!IsInPlay(candidate)) return {};
  switch (candidate.tenant.terms.mode) {
    case Mode::kHard:
      return StandingOfHard(candidate);
    case Mode::kSoft:
      return StandingOfSoft(candidate);
    case Mode::kWeighted:
      return StandingOfWeighted(candidate);
    case Mode::kPriority:
      return StandingOfPriority(candidate);
  }
  return {};
}

}  // namespace warpshare::share

#include "policy/share/terms.h"

namespace warpshare::share {

namespace {

Failure Invalid(const char* message) { return Fail(Errc::kInvalid, message); }

}  // namespace

Result<Terms> Validate(const Terms& terms) {
  if (IsGuaranteed(terms) && (terms.share_permille == 0 || terms.share_permille > kWholeCard))
    return Invalid("share: hard and soft need one: say 0.1 to 100 percent of the card");
  if (!IsGuaranteed(terms) && terms.share_permille != 0)
    return Invalid("share: weighted and priority have none: leave it out, or say hard or soft");
  if (terms.weight == 0 || terms.weight > kMaxWeight)
    return Invalid("weight: out of range: say 1 to 16");
  if (terms.mode == Mode::kHard && terms.weight != 1)
    return Invalid("weight: hard gets no idle time to weigh: leave it out, or say soft");
  if (terms.mode != Mode::kPriority && terms.priority != Priority::kLow)
    return Invalid("priority: high goes with mode priority only: change the mode or leave it out");
  if (terms.burst_ns > kMaxBurstNs) return Invalid("burst: too long: say at most 10 s");
  if (terms.latency_target_ns > kMaxLatencyTargetNs)
    return Invalid("latency target: too long: say at most 10 s, or 0 for none");
  return terms;
}

}  // namespace warpshare::share

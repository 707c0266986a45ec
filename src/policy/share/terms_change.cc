#include "policy/share/terms_change.h"

namespace warpshare::share {

namespace {

// None: nothing says how the tenant is to be held back.
std::optional<Mode> ModeAfter(const TermsChange& change, const std::optional<Terms>& before) {
  if (change.mode) return change.mode;
  if (change.priority) return Mode::kPriority;
  if (change.share_permille && !(before && IsGuaranteed(*before))) return Mode::kHard;
  if (before) return before->mode;
  if (change.weight) return Mode::kWeighted;
  return std::nullopt;
}

// What `before` has that a tenant of that mode can keep.
Terms KeepFor(Mode mode, const Terms& before) {
  Terms terms = before;
  terms.mode = mode;
  if (!IsGuaranteed(terms)) terms.share_permille = 0;
  if (mode == Mode::kHard) terms.weight = 1;
  if (mode != Mode::kPriority) terms.priority = Priority::kLow;
  return terms;
}

}  // namespace

Result<Terms> Apply(const TermsChange& change, const std::optional<Terms>& before) {
  const std::optional<Mode> mode = ModeAfter(change, before);
  if (!mode)
    return Fail(Errc::kInvalid,
                "mode: nothing says how it is held back: say a share, a weight or a priority too");
  Terms terms = KeepFor(*mode, before.value_or(Terms{}));
  terms.share_permille = change.share_permille.value_or(terms.share_permille);
  terms.weight = change.weight.value_or(terms.weight);
  terms.priority = change.priority.value_or(terms.priority);
  terms.burst_ns = change.burst_ns.value_or(terms.burst_ns);
  terms.latency_target_ns = change.latency_target_ns.value_or(terms.latency_target_ns);
  return Validate(terms);
}

}  // namespace warpshare::share

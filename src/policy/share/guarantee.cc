#include "policy/share/guarantee.h"

#include <algorithm>
#include <utility>

#include "policy/share/timing.h"
#include "policy/share/turn_length.h"

namespace warpshare::share {

namespace {

constexpr int64_t OfNs(uint64_t ns) { return static_cast<int64_t>(ns) * kBalancePerNs; }

// The earliest deadline first among those that had less than their part: a turn that became due is
// to be over within the time that the share takes to grow by one. Large shares so come in between
// small ones, not after all of them.
int64_t MeritByGuarantee(const Candidate& candidate) {
  const Terms& terms = candidate.tenant.terms;
  const int64_t overdue_ns = Overdue(terms, candidate.account);
  const uint64_t deadline_ns =
      std::min(kQuantumNs * kWholeCard / terms.share_permille, kMostDeadlineNs);
  const int64_t merit = overdue_ns - static_cast<int64_t>(deadline_ns);
  if (IsLate(candidate) || HasJustCome(candidate)) return merit + static_cast<int64_t>(kUrgencyNs);
  const bool had_its_part = overdue_ns < candidate.mean_overdue_ns;
  return had_its_part ? merit - static_cast<int64_t>(kMostDeadlineNs) : merit;
}

// A turn uses the balance up at the rate at which the others' time passes.
uint64_t LongestTurn(const Terms& terms, int64_t balance) {
  if (terms.share_permille == kWholeCard) return kNever;
  return static_cast<uint64_t>(balance) / (kWholeCard - terms.share_permille);
}

// What it has to be owed before it gets a turn. Who has just come is not kept waiting for what
// handovers cost.
uint64_t EnoughNs(const Candidate& candidate) {
  if (candidate.alone) return kStartAloneNs;
  return HasJustCome(candidate)
             ? kStartNs
             : StartNs(candidate.handover_ns, candidate.tenant.terms.share_permille);
}

// Idle so far, or until it came with work just now.
bool Pauses(const Candidate& candidate) {
  const Tenant& tenant = candidate.tenant;
  const uint64_t idle_since_ns = tenant.wants ? candidate.account.since_ns : tenant.since_ns;
  return candidate.now_ns < idle_since_ns + kPauseNs;
}

// Who is alone has nobody to catch up with. What the holder runs may be charged only when it ends.
void Defer(const Candidate& candidate, Account& account) {
  if (!candidate.alone) account.balance += std::exchange(account.deferred, 0);
  if (!candidate.alone || (candidate.holds && !account.was_charged)) return;
  const auto most = static_cast<int64_t>(kMostOverdueNs * candidate.tenant.terms.share_permille);
  const int64_t beyond = std::max<int64_t>(account.balance - OfNs(kMostOwedAloneNs), 0);
  account.deferred = std::min(account.deferred + beyond, most);
  account.balance -= beyond;
}

}  // namespace

bool HasJustCome(const Candidate& candidate) {
  return candidate.tenant.wants && candidate.account.held_until_ns < candidate.tenant.since_ns;
}

int64_t Overdue(const Terms& terms, const Account& account) {
  return (account.balance - OfNs(kStartNs)) / static_cast<int64_t>(terms.share_permille);
}

Standing StandingByGuarantee(const Candidate& candidate) {
  const Terms& terms = candidate.tenant.terms;
  const int64_t balance = candidate.account.balance;
  const int64_t enough = OfNs(EnoughNs(candidate));
  if (balance >= (candidate.holds ? OfNs(kLeastTurnNs) : enough))
    return {.claim = Claim::kGuaranteed,
            .merit = MeritByGuarantee(candidate),
            .longest_ns = LongestTurn(terms, balance)};
  Standing weaker;
  const int64_t missing = std::max<int64_t>(enough - balance, 0);
  weaker.stronger_in_ns = static_cast<uint64_t>(missing) / terms.share_permille + 1;
  if (candidate.account.saved >= OfNs(kLeastTurnNs)) {
    weaker.claim = Claim::kBurst;
    weaker.longest_ns = static_cast<uint64_t>(candidate.account.saved / kBalancePerNs);
  }
  return weaker;
}

void MeanOverdue::Meet(const Candidate& candidate) {
  if (!IsGuaranteed(candidate.tenant.terms) || !IsInPlay(candidate) || RunsInSurplus(candidate) ||
      MightRun(candidate))
    return;
  balances_ += candidate.account.balance - OfNs(kStartNs);
  shares_ += candidate.tenant.terms.share_permille;
}

int64_t MeanOverdue::Ns() const { return shares_ == 0 ? 0 : balances_ / shares_; }

int64_t IdleBalance(const Terms& terms, int64_t least_overdue_ns, bool pauses) {
  const int64_t behind =
      std::clamp<int64_t>(least_overdue_ns, 0, static_cast<int64_t>(kMostOverdueNs));
  // Soft tenants may always have more, so they can as well be served the moment they come.
  const bool comes_to_a_turn = pauses || terms.mode == Mode::kSoft;
  const uint64_t turn_ns = comes_to_a_turn ? kStartNs : kStartAloneNs;
  return OfNs(turn_ns) + behind * terms.share_permille;
}

bool RunsInSurplus(const Candidate& candidate) {
  return candidate.holds && candidate.account.claim == Claim::kSurplus;
}

void CreditBalance(const Terms& terms, Account& account, uint64_t elapsed_ns) {
  const auto most_back = static_cast<int64_t>(elapsed_ns * kTakesBackPermille);
  const int64_t back = std::min(account.deferred, most_back);
  account.deferred -= back;
  account.balance += static_cast<int64_t>(elapsed_ns * terms.share_permille) + back;
}

void ChargeBalance(Account& account, uint64_t charged_ns) {
  account.balance = std::max(account.balance - OfNs(charged_ns), -OfNs(kMostDebtNs));
}

void ChargeSaved(Account& account, uint64_t charged_ns) {
  account.saved -= OfNs(charged_ns);
  if (account.saved >= 0) return;
  account.balance = std::max(account.balance + account.saved, -OfNs(kMostDebtNs));
  account.saved = 0;
}

void SettleBalance(const Candidate& candidate, Account& account, int64_t least_overdue_ns) {
  const Terms& terms = candidate.tenant.terms;
  if (!IsGuaranteed(terms)) {
    account.balance = IdleBalance(terms, 0);
    account.deferred = 0;
    account.saved = 0;
    return;
  }
  const int64_t beyond = least_overdue_ns - static_cast<int64_t>(kMostOverdueNs);
  const bool in_play = StayedInPlay(candidate);
  if (in_play && beyond > 0) account.balance -= beyond * terms.share_permille;
  // Who runs in idle time is owed no more for it than who is idle, nor is who might run and does
  // not.
  const bool might_run = MightRun(candidate);
  if (!in_play || RunsInSurplus(candidate) || might_run) {
    const int64_t most = IdleBalance(terms, least_overdue_ns, might_run || Pauses(candidate));
    const int64_t spare = std::max<int64_t>(account.balance - most, 0);
    account.balance -= spare;
    if (!in_play) account.saved += spare;
  }
  account.saved = std::min(account.saved, OfNs(terms.burst_ns));
  Defer(candidate, account);
}

}  // namespace warpshare::share

#include "policy/share/accounts.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "policy/share/by_weight.h"
#include "policy/share/guarantee.h"
#include "policy/share/standing.h"
#include "policy/share/timing.h"

namespace warpshare::share {

namespace {

// More than a tenant can have used since the last look, and so little that no sum below overflows.
constexpr uint64_t kMostBookedNs = 3'600'000'000'000;

// The part of its time that whoever has the card must use while others wait; it is charged for no
// less. Below it are tenants that launch a short kernel and wait for its end, again and again.
constexpr uint64_t PaidOfHeld(uint64_t held_ns) {
  return held_ns * kLeavesGapsPermille / kWholeCard;
}

template <typename AccountOrConst>
AccountOrConst* FindIn(std::span<AccountOrConst> tenants, TenantId tenant) {
  const auto at = std::ranges::lower_bound(tenants, tenant, {}, &Account::tenant);
  return at != tenants.end() && at->tenant == tenant ? &*at : nullptr;
}

Candidate CandidateOf(const Accounts& accounts, const Snapshot& snapshot, const Tenant& tenant,
                      const Account& account) {
  return {.tenant = tenant,
          .account = account,
          .now_ns = snapshot.now_ns,
          .holds = Holds(snapshot, tenant),
          .alone = false,
          .handover_ns = snapshot.handover_ns,
          .is_shared = accounts.shared.are_on};
}

// Does anybody but the holder wait who may run?
bool IsContended(const Snapshot& snapshot, const Accounts& accounts) {
  return std::ranges::any_of(snapshot.tenants, [&](const Tenant& tenant) {
    const Account* account = accounts.Find(tenant.id);
    return account != nullptr && !Holds(snapshot, tenant) &&
           StandingOf(CandidateOf(accounts, snapshot, tenant, *account)).claim != Claim::kNone;
  });
}

void Charge(const Terms& terms, Account& account, uint64_t charged_ns) {
  if (!IsGuaranteed(terms) || account.claim == Claim::kSurplus)
    ChargeProgress(terms, account, charged_ns);
  else if (account.claim == Claim::kBurst)
    ChargeSaved(account, charged_ns);
  else
    ChargeBalance(account, charged_ns);
}

// To be charged for `used_ns` more, and for time that the card was kept for it in vain. A kernel
// that runs is paid for by holding the card until it ends; then its use is paid for already.
uint64_t DueOf(Account& account, uint64_t used_ns, uint64_t contended_ns) {
  const uint64_t prepaid_ns = account.contended_charged_ns - account.contended_used_ns;
  if (contended_ns == 0) {
    const uint64_t paid_ns = std::min(used_ns, prepaid_ns);
    account.contended_used_ns += paid_ns;
    return used_ns - paid_ns;
  }
  account.contended_held_ns += contended_ns;
  account.contended_used_ns += used_ns;
  const uint64_t due_ns = std::max({account.contended_used_ns, account.contended_charged_ns,
                                    PaidOfHeld(account.contended_held_ns)});
  return due_ns - std::exchange(account.contended_charged_ns, due_ns);
}

void BookUse(const Tenant& tenant, Account& account, uint64_t contended_ns, bool is_in_company) {
  // Less than before: counted anew, by another incarnation of the tenant's page.
  const uint64_t used_ns = tenant.used_ns - std::min(account.used_ns, tenant.used_ns);
  account.used_ns = tenant.used_ns;
  const uint64_t due_ns = DueOf(account, std::min(used_ns, kMostBookedNs), contended_ns);
  Charge(tenant.terms, account, due_ns);
  account.turn_charged_ns += due_ns;
  account.was_charged = due_ns != 0;
  NoteUse(account.company, used_ns, contended_ns, is_in_company);
}

void BeginTurn(Account& account, Claim claim, bool takes_over) {
  account.claim = claim;
  account.turn_charged_ns = 0;
  if (!takes_over) return;
  account.contended_held_ns = 0;
  account.contended_used_ns = 0;
  account.contended_charged_ns = 0;
}

void RememberWork(const Tenant& tenant, Account& account) {
  if (tenant.wants && !account.wants)
    account.last_gap_ns = tenant.since_ns - std::min(account.since_ns, tenant.since_ns);
  account.wants = tenant.wants;
  account.since_ns = tenant.since_ns;
}

void Book(Accounts& accounts, const Snapshot& snapshot, uint64_t elapsed_ns, bool is_in_company) {
  const bool is_contended =
      !snapshot.is_card_anothers && !accounts.shared.are_on && IsContended(snapshot, accounts);
  const uint64_t contended_ns = is_contended ? elapsed_ns : 0;
  for (const Tenant& tenant : snapshot.tenants) {
    Account* account = FindIn(std::span(accounts.tenants), tenant.id);
    if (account == nullptr) continue;
    const Turn* turn = TurnOf(snapshot, tenant.id);
    const Turn* last = TurnOf(accounts.turn, accounts.beside, tenant.id);
    const bool is_new_turn = turn != nullptr && (last == nullptr || *last != *turn);
    if (is_new_turn) BeginTurn(*account, turn->claim, /*takes_over=*/last == nullptr);
    if (turn != nullptr) account->held_until_ns = snapshot.now_ns;
    BookUse(tenant, *account, turn != nullptr ? contended_ns : 0, is_in_company);
    if (IsGuaranteed(tenant.terms)) CreditBalance(tenant.terms, *account, elapsed_ns);
  }
}

// What was used while nobody handed out turns is on nobody's account.
void Forgive(Accounts& accounts, const Snapshot& snapshot) {
  for (const Tenant& tenant : snapshot.tenants)
    if (Account* account = FindIn(std::span(accounts.tenants), tenant.id))
      account->used_ns = tenant.used_ns;
}

// Whether two tenants or more have had work since the last snapshot.
bool AreInCompany(const Accounts& accounts, const Snapshot& snapshot) {
  if (snapshot.turn && IsContended(snapshot, accounts)) return true;
  return std::ranges::count_if(snapshot.tenants, [&](const Tenant& tenant) {
           const Account* account = accounts.Find(tenant.id);
           return account != nullptr &&
                  StayedInPlay(CandidateOf(accounts, snapshot, tenant, *account));
         }) > 1;
}

// How overdue the least of those is that have a guarantee and want it; 0 if there is none.
int64_t LeastOverdue(const Accounts& accounts, const Snapshot& snapshot) {
  int64_t least_ns = std::numeric_limits<int64_t>::max();
  for (const Tenant& tenant : snapshot.tenants) {
    const Account* account = accounts.Find(tenant.id);
    if (account == nullptr || !IsGuaranteed(tenant.terms)) continue;
    const Candidate candidate = CandidateOf(accounts, snapshot, tenant, *account);
    if (StayedInPlay(candidate) && !RunsInSurplus(candidate) && !MightRun(candidate))
      least_ns = std::min(least_ns, Overdue(tenant.terms, *account));
  }
  return least_ns == std::numeric_limits<int64_t>::max() ? 0 : least_ns;
}

void Settle(Accounts& accounts, const Snapshot& snapshot, int64_t least_overdue_ns) {
  LastInPlay last;
  size_t in_play = 0;
  for (const Tenant& tenant : snapshot.tenants) {
    const Account* account = accounts.Find(tenant.id);
    if (account == nullptr) continue;
    const Candidate candidate = CandidateOf(accounts, snapshot, tenant, *account);
    last.Meet(candidate);
    in_play += IsInPlay(candidate) ? 1 : 0;
  }
  for (const Tenant& tenant : snapshot.tenants) {
    Account* account = FindIn(std::span(accounts.tenants), tenant.id);
    if (account == nullptr) continue;
    Candidate candidate = CandidateOf(accounts, snapshot, tenant, *account);
    candidate.alone = in_play == 1 && IsInPlay(candidate);
    SettleBalance(candidate, *account, least_overdue_ns);
    last.SettleProgress(candidate, *account);
    RememberWork(tenant, *account);
  }
}

// Closes the accounts of those that are gone and opens those of the new ones, who come as if they
// had been idle until now.
void Admit(Accounts& accounts, const Snapshot& snapshot, int64_t least_overdue_ns) {
  for (Account& account : accounts.tenants) account.present = false;
  const size_t known = accounts.tenants.size();
  for (const Tenant& tenant : snapshot.tenants) {
    const std::span earlier(accounts.tenants.data(), known);
    if (Account* account = FindIn(earlier, tenant.id)) {
      account->present = true;
      continue;
    }
    accounts.tenants.push_back({.tenant = tenant.id,
                                .used_ns = tenant.used_ns,
                                .balance = IdleBalance(tenant.terms, least_overdue_ns),
                                .wants = tenant.wants,
                                .since_ns = tenant.since_ns});
  }
  const bool has_new = accounts.tenants.size() != known;
  const size_t gone =
      std::erase_if(accounts.tenants, [](const Account& account) { return !account.present; });
  if (has_new || gone != 0) accounts.shared.were_good = false;  // with these
  if (has_new) std::ranges::sort(accounts.tenants, {}, &Account::tenant);
}

}  // namespace

const Account* Accounts::Find(TenantId tenant) const { return FindIn(std::span(tenants), tenant); }

void Advance(Accounts& accounts, const Snapshot& snapshot) {
  uint64_t elapsed_ns = snapshot.now_ns - std::min(accounts.now_ns, snapshot.now_ns);
  if (elapsed_ns >= kAwayNs) {
    Forgive(accounts, snapshot);
    elapsed_ns = 0;
  }
  const bool is_in_company = AreInCompany(accounts, snapshot);
  Book(accounts, snapshot, elapsed_ns, is_in_company);
  JudgeSharedTurns(accounts, snapshot, elapsed_ns, is_in_company);
  const int64_t least_overdue_ns = LeastOverdue(accounts, snapshot);
  Settle(accounts, snapshot, least_overdue_ns);
  Admit(accounts, snapshot, least_overdue_ns);
  accounts.now_ns = snapshot.now_ns;
  accounts.turn = snapshot.turn;
  accounts.beside.assign(snapshot.beside.begin(), snapshot.beside.end());
}

}  // namespace warpshare::share

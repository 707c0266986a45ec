#include "policy/share/shared_turns.h"

#include <algorithm>

#include "policy/share/accounts.h"
#include "policy/share/snapshot.h"
#include "policy/share/timing.h"

namespace warpshare::share {

namespace {

uint64_t Permille(uint64_t part_ns, uint64_t of_ns) {
  return of_ns == 0 ? 0 : part_ns * kWholeCard / of_ns;
}

bool MayShare(const Snapshot& snapshot) {
  return std::ranges::none_of(snapshot.tenants, [](const Tenant& tenant) {
    return IsHigh(tenant.terms) || tenant.terms.latency_target_ns != 0;
  });
}

void BeginWhile(Accounts& accounts, bool are_on) {
  accounts.shared.are_on = are_on;
  accounts.shared.company_ns = 0;
  for (Account& account : accounts.tenants) {
    account.company.used_ns = 0;
    account.company.held_ns = 0;
    account.company.of_held_ns = 0;
  }
}

void PutOff(SharedTurns& shared, uint64_t now_ns) {
  shared.were_good = false;
  shared.next_pause_ns =
      std::clamp(2 * shared.next_pause_ns, kLeastSharePauseNs, kMostSharePauseNs);
  shared.not_before_ns = now_ns + shared.next_pause_ns;
}

// Somebody leaves gaps, and somebody else would use them.
void JudgeTurns(Accounts& accounts, uint64_t now_ns) {
  SharedTurns& shared = accounts.shared;
  uint64_t used_ns = 0;
  size_t users = 0;
  bool leaves_gaps = false;
  for (Account& account : accounts.tenants) {
    InCompany& company = account.company;
    used_ns += company.used_ns;
    users += company.used_ns != 0 ? 1 : 0;
    company.turns_permille = Permille(company.used_ns, shared.company_ns);
    if (company.held_ns >= kLeastJudgedNs) {
      const bool has_gaps = Permille(company.of_held_ns, company.held_ns) < kLeavesGapsPermille;
      company.leaves_gaps = has_gaps && company.had_gaps;
      company.had_gaps = has_gaps;
    }
    leaves_gaps |= company.leaves_gaps;
  }
  shared.turns_permille = Permille(used_ns, shared.company_ns);
  BeginWhile(accounts, leaves_gaps && users > 1 && now_ns >= shared.not_before_ns);
}

// A tenant is not worse off with the most that it may have, or nearly what it had.
bool IsServed(const Account& account, const SharedTurns& shared, uint32_t share_permille) {
  const InCompany& company = account.company;
  const uint64_t had = std::min<uint64_t>(company.turns_permille, share_permille);
  const uint64_t least = shared.were_good ? kStillServedPermille : kServedPermille;
  return Permille(company.used_ns, shared.company_ns) * kWholeCard >= had * least;
}

bool AreGood(const Accounts& accounts, const Snapshot& snapshot) {
  const SharedTurns& shared = accounts.shared;
  uint64_t used_ns = 0;
  for (const Tenant& tenant : snapshot.tenants) {
    const Account* account = accounts.Find(tenant.id);
    if (account == nullptr) continue;
    used_ns += account->company.used_ns;
    const uint32_t most = IsGuaranteed(tenant.terms) ? tenant.terms.share_permille : kWholeCard;
    if (!IsServed(*account, shared, most)) return false;
  }
  const uint64_t more = shared.were_good ? 0 : kWorthSharingPermille;
  return Permille(used_ns, shared.company_ns) >= shared.turns_permille + more;
}

uint64_t LengthNs(const SharedTurns& shared) {
  if (!shared.are_on) return kTurnsWhileNs;
  return shared.were_good ? kSharedWhileNs : kTriedWhileNs;
}

}  // namespace

void NoteUse(InCompany& company, uint64_t used_ns, uint64_t contended_ns, bool is_in_company) {
  if (is_in_company) company.used_ns += used_ns;
  if (contended_ns == 0) return;
  company.held_ns += contended_ns;
  company.of_held_ns += used_ns;
}

void JudgeSharedTurns(Accounts& accounts, const Snapshot& snapshot, uint64_t elapsed_ns,
                      bool is_in_company) {
  SharedTurns& shared = accounts.shared;
  if (shared.are_on && (!is_in_company || !MayShare(snapshot))) return BeginWhile(accounts, false);
  if (is_in_company) shared.company_ns += elapsed_ns;
  if (shared.company_ns < LengthNs(shared)) return;
  if (!shared.are_on)
    return MayShare(snapshot) ? JudgeTurns(accounts, snapshot.now_ns) : BeginWhile(accounts, false);
  shared.were_good = AreGood(accounts, snapshot);
  if (shared.were_good)
    shared.next_pause_ns = 0;
  else
    PutOff(shared, snapshot.now_ns);
  BeginWhile(accounts, false);
}

}  // namespace warpshare::share

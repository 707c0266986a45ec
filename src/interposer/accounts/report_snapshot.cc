#include "interposer/accounts/report_snapshot.h"

#include "interposer/accounts/accounts.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

// Before and after the report, as what was charged before it may be made after it. Nothing has
// changed between two moments in which all is there that is charged, and as often as it was.
bool IsQuiet(const CardAccount& account, uint64_t held, const CardAccount::Holdings& own,
             const ReportedStore::Calls& calls) {
  Accounts& accounts = Accounts::OfProcess();
  const uint32_t card = account.card();
  return calls.in_flight == 0 && accounts.ReportedCallsOn(card) == calls &&
         accounts.BytesOn(card) + held == own.bytes && account.Own() == own;
}

void TakeOnce(const CardAccount& account, uint64_t held, ReportSnapshot& snapshot) {
  Accounts& accounts = Accounts::OfProcess();
  const uint32_t card = account.card();
  snapshot.report.is_known = false;
  snapshot.is_quiet = false;
  if (card >= abi::kMaxCards) return;
  snapshot.own = account.Own();
  const ReportedStore::Calls calls = accounts.ReportedCallsOn(card);
  const bool was_quiet = IsQuiet(account, held, snapshot.own, calls);
  accounts.driver_reporter.Read(Session::Current()->limits().cards[card].uuid, snapshot.report);
  // What pools let go of by themselves changes what is charged only now.
  accounts.pools.ShrinkAll();
  accounts.graph_memory.ShrinkAll();
  snapshot.is_quiet = was_quiet && IsQuiet(account, held, snapshot.own, calls);
}

}  // namespace

bool IsQuietNow(const CardAccount& account) {
  const CardAccount::Holdings own = account.Own();
  return IsQuiet(account, /*held=*/0, own, Accounts::OfProcess().ReportedCallsOn(account.card()));
}

void TakeSnapshot(const CardAccount& account, uint64_t held, int attempts,
                  ReportSnapshot& snapshot) {
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 500'000};
  TakeOnce(account, held, snapshot);
  for (int i = 1; i < attempts && !snapshot.is_quiet; ++i) {
    guest::SystemCall(SYS_nanosleep, guest::Word(&kPause));
    TakeOnce(account, held, snapshot);
  }
}

}  // namespace warpshare::interposer

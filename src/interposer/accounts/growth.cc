#include "interposer/accounts/growth.h"

#include "interposer/accounts/accounts.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

uint64_t Less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

bool GrowthMeter::Begin(uint64_t held, uint64_t expected) {
  held_ = held;
  Take(before_, expected);
  return before_.report.is_known;
}

void GrowthMeter::Take(Snapshot& snapshot, uint64_t expected) const {
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 500'000};  // for what is in flight to arrive
  // What a limit is held by, and is learned once for the tenant, is worth a twentieth of a second.
  const int attempts = expected == 0 && account_.IsLimited() ? 100 : 2;
  TakeOnce(snapshot);
  for (int i = 1; i < attempts && !snapshot.is_quiet; ++i) {
    guest::SystemCall(SYS_nanosleep, guest::Word(&kPause));
    TakeOnce(snapshot);
  }
}

void GrowthMeter::TakeOnce(Snapshot& snapshot) const {
  Accounts& accounts = Accounts::OfProcess();
  const uint32_t card = account_.card();
  snapshot.report.is_known = false;
  snapshot.is_quiet = false;
  if (card >= abi::kMaxCards) return;
  snapshot.own = account_.Own();
  const ReportedStore::Calls calls = accounts.ReportedCallsOn(card);
  const bool was_quiet = IsQuiet(snapshot, calls);
  accounts.driver_reporter.Read(Session::Current()->limits().cards[card].uuid, snapshot.report);
  // What pools let go of by themselves changes what is charged only now.
  accounts.pools.ShrinkAll();
  accounts.graph_memory.ShrinkAll();
  snapshot.is_quiet = was_quiet && IsQuiet(snapshot, calls);
}

// Before and after the report, as what was charged before it may be made after it. Nothing has
// changed between two moments in which all is there that is charged, and as often as it was.
bool GrowthMeter::IsQuiet(const Snapshot& snapshot, const ReportedStore::Calls& calls) const {
  Accounts& accounts = Accounts::OfProcess();
  const uint32_t card = account_.card();
  return calls.in_flight == 0 && accounts.ReportedCallsOn(card) == calls &&
         accounts.BytesOn(card) + held_ == snapshot.own.bytes && account_.Own() == snapshot.own;
}

uint64_t GrowthMeter::End(uint64_t expected, uint64_t most) {
  Snapshot after;
  Take(after, expected);
  is_exact_ = false;
  if (!before_.report.is_known || !after.report.is_known) return expected;
  DriverReporter& reporter = Accounts::OfProcess().driver_reporter;
  if (reporter.pid() == 0) {
    reporter.LearnPid(before_.report, after.report, before_.own.bytes > held_);
  }
  const uint32_t pid = reporter.pid();
  const uint64_t was = before_.report.BytesOf(pid);
  if (pid == 0 || !after.report.Tells(pid) || was == DriverReport::kUntold)
    return OfCard(after, expected);
  const bool is_exact = before_.is_quiet && after.is_quiet && before_.own == after.own;
  if (!is_exact && expected != 0) return expected;
  const uint64_t is = after.report.BytesOf(pid);
  const uint64_t taken = Less(is + before_.own.bytes, was + after.own.bytes);
  if (taken > most) return OfCard(after, expected);
  is_exact_ = is_exact;
  fall_ = Less(was, is);
  return taken;
}

uint64_t GrowthMeter::OfCard(const Snapshot& after, uint64_t expected) const {
  if (expected != 0) return expected;
  return Less(after.report.card_bytes, before_.report.card_bytes);
}

}  // namespace warpshare::interposer

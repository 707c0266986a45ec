#include "interposer/accounts/growth.h"

#include "interposer/accounts/accounts.h"

namespace warpshare::interposer {

namespace {

// No context and no code takes more; a measurement that says so saw somebody else.
constexpr uint64_t kMostBelievable = uint64_t{8} << 30;

uint64_t Less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }
uint64_t Lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }
uint64_t Greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

}  // namespace

bool GrowthMeter::Begin() {
  Take(before_);
  return before_.report.is_known;
}

void GrowthMeter::Take(Snapshot& snapshot) const {
  Accounts& accounts = Accounts::OfProcess();
  const uint32_t card = account_.card();
  snapshot.report.is_known = false;
  if (card >= abi::kMaxCards) return;
  snapshot.data_least = accounts.DataLeast(card);
  snapshot.data_most = accounts.DataMost(account_);
  accounts.driver_reporter.Read(Session::Current()->limits().cards[card].uuid, snapshot.report);
  snapshot.data_least = Lesser(snapshot.data_least, accounts.DataLeast(card));
  snapshot.data_most = Greater(snapshot.data_most, accounts.DataMost(account_));
}

uint64_t GrowthMeter::End(uint64_t expected) {
  Snapshot after;
  Take(after);
  is_exact_ = false;
  if (!before_.report.is_known || !after.report.is_known) return expected;
  DriverReporter& reporter = Accounts::OfProcess().driver_reporter;
  if (reporter.pid() == 0) {
    reporter.LearnPid(before_.report, after.report, before_.data_most != 0);
  }
  const uint32_t pid = reporter.pid();
  if (pid == 0 || !after.report.Lists(pid)) return WithinCard(after, expected);
  const uint64_t was = before_.report.BytesOf(pid);
  const uint64_t is = after.report.BytesOf(pid);
  const uint64_t least = Less(is + before_.data_least, was + after.data_most);
  const uint64_t most = Greater(least, Less(is + before_.data_most, was + after.data_least));
  is_exact_ = least == most;
  return Greater(least, Lesser(expected, most));
}

uint64_t GrowthMeter::WithinCard(const Snapshot& after, uint64_t expected) const {
  if (expected != 0) return expected;
  return Lesser(kMostBelievable, Less(after.report.card_bytes, before_.report.card_bytes));
}

}  // namespace warpshare::interposer

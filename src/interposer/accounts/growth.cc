#include "interposer/accounts/growth.h"

#include "interposer/accounts/accounts.h"

namespace warpshare::interposer {

namespace {

uint64_t Less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

bool GrowthMeter::Begin(uint64_t held, uint64_t expected) {
  held_ = held;
  Take(before_, expected);
  return before_.report.is_known;
}

void GrowthMeter::Take(ReportSnapshot& snapshot, uint64_t expected) const {
  // What a limit is held by, and is learned once for the tenant, is worth a twentieth of a second.
  TakeSnapshot(account_, held_, expected == 0 && account_.IsLimited() ? 100 : 2, snapshot);
}

uint64_t GrowthMeter::End(uint64_t expected, uint64_t most) {
  ReportSnapshot after;
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
  is_told_ = after.is_quiet;
  reported_ = after.report.BytesOf(pid);
  charged_then_ = after.own.bytes;
  const bool is_exact = before_.is_quiet && after.is_quiet && before_.own == after.own;
  if (!is_exact && expected != 0) return expected;
  const uint64_t is = reported_;
  const uint64_t taken = Less(is + before_.own.bytes, was + after.own.bytes);
  if (taken > most) return OfCard(after, expected);
  is_exact_ = is_exact;
  fall_ = Less(was, is);
  return taken;
}

void GrowthMeter::Settle(uint64_t charged) {
  if (!is_told_) return;
  ReportGap& gap = Accounts::OfProcess().of_card[account_.card()].report_gap;
  gap.Learn(reported_, charged_then_ - held_ + charged);
}

uint64_t GrowthMeter::OfCard(const ReportSnapshot& after, uint64_t expected) const {
  if (expected != 0) return expected;
  return Less(after.report.card_bytes, before_.report.card_bytes);
}

}  // namespace warpshare::interposer

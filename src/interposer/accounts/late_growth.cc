#include "interposer/accounts/late_growth.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/capture_tolerance.h"
#include "interposer/accounts/report_snapshot.h"
#include "interposer/dispatch/driver.h"
#include "interposer/dispatch/driver_functions.h"
#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

uint64_t FreeOnCard() {
  const CaptureTolerance tolerance;
  size_t free = 0;
  size_t total = 0;
  return REAL(cuMemGetInfo_v2)(&free, &total) == CUDA_SUCCESS ? free : 0;
}

int64_t GapOf(uint64_t reported, uint64_t charged) {
  return static_cast<int64_t>(reported) - static_cast<int64_t>(charged);
}

}  // namespace

void ReportGap::Learn(uint64_t reported, uint64_t charged) {
  const guest::LockGuard guard(lock_);
  if (is_known_ && open_.load(std::memory_order_seq_cst) != 0) return;
  gap_ = GapOf(reported, charged);
  is_known_ = true;
}

LateGrowth::LateGrowth(const Place& place) : place_(place) {
  if (place.account->card() >= abi::kMaxCards) return;
  gap().open_.fetch_add(1, std::memory_order_seq_cst);
  charged_ = place.account->UsedBytes();
  free_ = FreeOnCard();
}

ReportGap& LateGrowth::gap() const {
  return Accounts::OfProcess().of_card[place_.account->card()].report_gap;
}

void LateGrowth::Charge(Enter enter) {
  if (place_.account->card() >= abi::kMaxCards) return;
  const uint64_t free = FreeOnCard();
  if (free < free_) ChargeGrown(free_ - free, enter);
  gap().open_.fetch_sub(1, std::memory_order_seq_cst);
}

// What is in flight may be on the card and charged to nobody, such as code that turns out not to
// fit. If it does not end soon, it is left to the next call that loses something.
bool LateGrowth::AwaitQuiet() const {
  constexpr int kTries = 10;
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 50'000};
  for (int i = 0; i < kTries; ++i) {
    if (IsQuietNow(*place_.account)) return true;
    guest::SystemCall(SYS_nanosleep, guest::Word(&kPause));
  }
  return false;
}

// Under the lock until it is charged and entered, so that what two saw is charged once.
void LateGrowth::ChargeGrown(uint64_t lost, Enter enter) const {
  CardAccount& account = *place_.account;
  const guest::LockGuard guard(gap().lock_);
  if (gap().is_known_ && !AwaitQuiet()) return;
  ReportSnapshot now;
  TakeSnapshot(account, /*held=*/0, /*attempts=*/1, now);
  const uint32_t pid = Accounts::OfProcess().driver_reporter.pid();
  const bool is_told = now.report.is_known && pid != 0 && now.report.Tells(pid);
  if (is_told && !now.is_quiet) return;
  const uint64_t bytes =
      is_told ? GrownByReport(lost, now.report.BytesOf(pid), now.own.bytes) : GrownByCard(lost);
  if (bytes == 0) return;
  account.ChargeTaken(bytes);
  enter(bytes);
}

uint64_t LateGrowth::GrownByReport(uint64_t lost, uint64_t reported, uint64_t charged) const {
  ReportGap& known = gap();
  const int64_t now = GapOf(reported, charged);
  const int64_t grown = known.is_known_ && now > known.gap_ ? now - known.gap_ : 0;
  const int64_t most = static_cast<int64_t>(lost);
  const int64_t taken = grown < most ? grown : most;
  // What is left over is another call's, if there is one; else what the driver rounded up.
  if (known.open_.load(std::memory_order_seq_cst) == 1 || !known.is_known_ || now < known.gap_)
    known.gap_ = now - taken;
  known.is_known_ = true;
  return static_cast<uint64_t>(taken);
}

uint64_t LateGrowth::GrownByCard(uint64_t lost) const {
  constexpr uint64_t kMost = uint64_t{64} << 20;
  const uint64_t charged = place_.account->UsedBytes();
  const uint64_t known = charged > charged_ ? charged - charged_ : 0;
  return lost > known && lost - known <= kMost ? lost - known : 0;
}

}  // namespace warpshare::interposer

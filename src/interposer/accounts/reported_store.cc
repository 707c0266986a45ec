#include "interposer/accounts/reported_store.h"

namespace warpshare::interposer {

namespace {

// What drivers of 2020 to 2026 grow a pool by; less is learned from the first report.
constexpr uint64_t kAssumedLump = uint64_t{32} << 20;

}  // namespace

void ReportedStore::Open(CardAccount* account, Reader reader, uint64_t handle) {
  const guest::LockGuard guard(lock_);
  account_ = account;
  reader_ = reader;
  handle_ = handle;
  charged_.store(0, std::memory_order_relaxed);
  held_.store(0, std::memory_order_relaxed);
}

void ReportedStore::AddHeld(uint64_t bytes) {
  const guest::LockGuard guard(lock_);
  held_.store(held() + bytes, std::memory_order_relaxed);
}

bool ReportedStore::Hold(uint64_t bytes) {
  if (!account_->TryCharge(bytes)) return false;
  AddHeld(bytes);
  return true;
}

bool ReportedStore::ShrinkTo(uint64_t reserved) {
  if (reserved >= charged()) return false;
  account_->GiveBack(charged() - reserved);
  charged_.store(reserved, std::memory_order_relaxed);
  return true;
}

bool ReportedStore::MayServeFromReserve(uint64_t bytes) {
  const guest::LockGuard guard(lock_);
  uint64_t reserved = 0;
  uint64_t used = 0;
  if (!Read(Quantity::kReserved, reserved) || !Read(Quantity::kUsed, used)) return false;
  ShrinkTo(reserved);
  return reserved >= used && reserved - used >= bytes;
}

ReportedStore::Growth ReportedStore::Begin(uint64_t bytes) {
  if (account_ == nullptr) return {.is_allowed = true, .asked = bytes, .held = 0};
  const uint64_t most = growth_rule_.Most(bytes, kAssumedLump);
  if (Hold(most)) return {.is_allowed = true, .asked = bytes, .held = most};
  if (MayServeFromReserve(bytes)) return {.is_allowed = true, .asked = bytes, .held = 0};
  const uint64_t least = growth_rule_.Least(bytes);
  if (Hold(least)) return {.is_allowed = true, .asked = bytes, .held = least};
  // Looks for dead processes before it refuses.
  if (!account_->Charge(least)) return {.is_allowed = false, .asked = bytes, .held = 0};
  AddHeld(least);
  return {.is_allowed = true, .asked = bytes, .held = least};
}

void ReportedStore::Cancel(const Growth& growth) {
  if (account_ == nullptr || growth.held == 0) return;
  const guest::LockGuard guard(lock_);
  held_.store(held() - growth.held, std::memory_order_relaxed);
  account_->GiveBack(growth.held);
}

bool ReportedStore::Settle(const Growth& growth) {
  if (account_ == nullptr) return true;
  const guest::LockGuard guard(lock_);
  const uint64_t before = charged();
  const uint64_t others = held() - growth.held;
  const uint64_t have = before + growth.held;
  held_.store(others, std::memory_order_relaxed);
  charged_.store(have, std::memory_order_relaxed);
  uint64_t reserved = 0;
  if (!Read(Quantity::kReserved, reserved)) return true;
  if (others == 0 && reserved > before) growth_rule_.Learn(growth.asked, reserved - before);
  if (reserved <= have) {
    ShrinkTo(reserved);
    return true;
  }
  // Others in flight may have made it grow, and hold the bytes for that.
  const uint64_t missing = reserved - have;
  if (missing <= others) return true;
  if (!account_->TryCharge(missing - others)) return false;
  charged_.store(have + (missing - others), std::memory_order_relaxed);
  return true;
}

void ReportedStore::Recount() {
  if (account_ == nullptr) return;
  const guest::LockGuard guard(lock_);
  uint64_t reserved = 0;
  if (!Read(Quantity::kReserved, reserved) || ShrinkTo(reserved)) return;
  const uint64_t have = charged() + held();
  if (reserved <= have) return;
  account_->ChargeTaken(reserved - have);
  charged_.store(reserved - held(), std::memory_order_relaxed);
}

bool ReportedStore::Shrink() {
  if (charged() == 0) return false;
  const guest::LockGuard guard(lock_);
  uint64_t reserved = 0;
  return Read(Quantity::kReserved, reserved) && ShrinkTo(reserved);
}

void ReportedStore::Pause() { Resume(nullptr); }

void ReportedStore::Resume(Reader reader) {
  const guest::LockGuard guard(lock_);
  reader_ = reader;
}

uint64_t ReportedStore::Close() {
  const guest::LockGuard guard(lock_);
  return charged_.exchange(0, std::memory_order_relaxed);
}

}  // namespace warpshare::interposer

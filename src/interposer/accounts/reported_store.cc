#include "interposer/accounts/reported_store.h"

#include "interposer/session/session.h"

namespace warpshare::interposer {

namespace {

uint64_t Lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }

}  // namespace

void ReportedStore::Open(const Description& store) {
  const guest::LockGuard guard(lock_);
  account_ = store.account;
  reader_ = store.reader;
  handle_ = store.handle;
  assumed_lump_ = store.assumed_lump;
  charged_.store(0, std::memory_order_relaxed);
  held_.store(0, std::memory_order_relaxed);
}

bool ReportedStore::Hold(uint64_t bytes) {
  if (!account_->TryHoldRoom(bytes)) return false;
  const guest::LockGuard guard(lock_);
  held_.store(held() + bytes, std::memory_order_relaxed);
  return true;
}

bool ReportedStore::ShrinkTo(uint64_t reserved) {
  if (reserved >= charged()) return false;
  account_->GiveBack(charged() - reserved);
  charged_.store(reserved, std::memory_order_relaxed);
  return true;
}

// What the store holds and does not use; what it has let go is given back on the way.
uint64_t ReportedStore::Unused() {
  if (charged() == 0) return 0;
  const guest::LockGuard guard(lock_);
  uint64_t reserved = 0;
  uint64_t used = 0;
  if (!Read(Quantity::kReserved, reserved) || !Read(Quantity::kUsed, used)) return 0;
  ShrinkTo(reserved);
  return reserved > used ? reserved - used : 0;
}

ReportedStore::Growth ReportedStore::TryBegin(uint64_t bytes, Otherwise otherwise) {
  const uint64_t most = growth_rule_.Most(bytes, assumed_lump_);
  if (Hold(most)) [[likely]]
    return {.grant = Grant::kFromStore, .asked = bytes, .held = most};
  const uint64_t unused = Unused();
  if (Hold(most)) return {.grant = Grant::kFromStore, .asked = bytes, .held = most};
  const bool is_ample = unused >= bytes && unused - bytes >= most;
  if (!is_ample && otherwise == Otherwise::kElsewhere && account_->HasRoomFor(bytes)) {
    return {.grant = Grant::kElsewhere, .asked = bytes, .held = 0};
  }
  const uint64_t least = growth_rule_.Least(bytes);
  if (otherwise == Otherwise::kLeast && unused < bytes && Hold(least)) {
    return {.grant = Grant::kFromStore, .asked = bytes, .held = least};
  }
  return {
      .grant = unused >= bytes ? Grant::kFromStore : Grant::kRefused, .asked = bytes, .held = 0};
}

ReportedStore::Growth ReportedStore::Begin(uint64_t bytes, Otherwise otherwise) {
  if (account_ == nullptr) return {.grant = Grant::kFromStore, .asked = bytes, .held = 0};
  Growth growth = TryBegin(bytes, otherwise);
  if (growth.grant != Grant::kRefused) return growth;
  Session::Current()->Sweep();
  growth = TryBegin(bytes, otherwise);
  if (growth.grant == Grant::kRefused) (void)account_->Refuse(bytes);
  return growth;
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
  const uint64_t have = before + growth.held;
  const uint64_t others = held() - growth.held;
  held_.store(others, std::memory_order_relaxed);
  uint64_t reserved = have;
  (void)Read(Quantity::kReserved, reserved);
  if (others == 0 && reserved > before) growth_rule_.Learn(growth.asked, reserved - before);
  // Others in flight may have made it grow, and hold the bytes for that.
  const uint64_t needed = reserved > have + others ? reserved - others : Lesser(reserved, have);
  if (needed > have && !account_->TryCharge(needed - have)) {
    charged_.store(have, std::memory_order_relaxed);
    return false;
  }
  charged_.store(needed, std::memory_order_relaxed);
  if (needed < have) account_->GiveBack(have - needed);
  if (needed > before) account_->NotePeak();
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

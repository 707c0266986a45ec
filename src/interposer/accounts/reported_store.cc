#include "interposer/accounts/reported_store.h"

#include "interposer/session/patience.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

namespace {

uint64_t Lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }
uint64_t Less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

void ReportedStore::Open(const Description& store) {
  const guest::LockGuard guard(lock_);
  account_ = store.account;
  reader_ = store.reader;
  trimmer_ = store.trimmer;
  handle_ = store.handle;
  assumed_lump_ = store.assumed_lump;
  charged_.store(0, std::memory_order_relaxed);
  held_.store(0, std::memory_order_relaxed);
  freed_.Clear();
}

bool ReportedStore::Hold(const Request& request, uint64_t bytes, Growth& growth) {
  if (!account_->TryHoldRoom(bytes)) return false;
  const guest::LockGuard guard(lock_);
  held_.store(held() + bytes, std::memory_order_relaxed);
  growth.held = bytes;
  growth.grant = Grant::kFromStore;
  growth.reuses = TakeFreed(request);
  return true;
}

// With the lock held.
bool ReportedStore::TakeFreed(const Request& request) {
  return freed_.Take(request.bytes, request.stream) || freed_.Take(request.bytes, 0);
}

bool ReportedStore::Reuse(const Request& request, Growth& growth) {
  const guest::LockGuard guard(lock_);
  growth.reuses = TakeFreed(request);
  if (growth.reuses) growth.grant = Grant::kFromStore;
  return growth.reuses;
}

void ReportedStore::NoteFreed(uint64_t bytes, uint64_t stream) {
  if (account_ == nullptr) return;
  const guest::LockGuard guard(lock_);
  freed_.Add(bytes, stream);
}

bool ReportedStore::ShrinkTo(uint64_t reserved) {
  if (reserved >= charged()) return false;
  account_->GiveBack(charged() - reserved);
  charged_.store(reserved, std::memory_order_relaxed);
  freed_.Clear();
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

bool ReportedStore::TrimUnused() {
  if (trimmer_ == nullptr || Unused() == 0) return false;
  trimmer_(handle_);
  return Shrink();
}

ReportedStore::Growth ReportedStore::TryBegin(const Request& request) {
  const uint64_t bytes = request.bytes;
  Growth growth{.grant = Grant::kRefused, .asked = bytes, .stream = request.stream};
  const uint64_t most = growth_rule_.Most(bytes, assumed_lump_);
  if (Hold(request, most, growth)) [[likely]]
    return growth;
  if (trimmer_ != nullptr && Reuse(request, growth)) return growth;
  // All that it could let go of would not do.
  if (!account_->HasRoomFor(Less(bytes, charged()))) return growth;
  if (TrimUnused() && Hold(request, most, growth)) return growth;
  if (request.otherwise == Otherwise::kElsewhere && account_->HasRoomFor(bytes)) {
    growth.grant = Grant::kElsewhere;
  } else if (trimmer_ == nullptr) {
    ServeFromUnused(request, most, growth);
  }
  return growth;
}

// For a store that cannot be trimmed.
void ReportedStore::ServeFromUnused(const Request& request, uint64_t most, Growth& growth) {
  sole_.Acquire();
  const uint64_t unused = Unused();
  growth.is_sole = !Hold(request, most, growth) && unused >= request.bytes;
  if (growth.is_sole) {
    growth.grant = Grant::kFromStore;
    return;
  }
  sole_.Release();
  if (growth.grant == Grant::kRefused && request.otherwise == Otherwise::kLeast) {
    (void)Hold(request, growth_rule_.Least(request.bytes), growth);
  }
}

void ReportedStore::EndSole(const Growth& growth) {
  if (growth.is_sole) sole_.Release();
}

ReportedStore::Growth ReportedStore::Begin(const Request& request) {
  if (account_ == nullptr) {
    return {.grant = Grant::kFromStore, .asked = request.bytes, .stream = request.stream};
  }
  Growth growth = TryBegin(request);
  if (growth.grant != Grant::kRefused) return growth;
  Session& session = *Session::Current();
  session.Sweep();
  Patience patience(session);
  while ((growth = TryBegin(request)).grant == Grant::kRefused) {
    if (!account_->MayFit(request.bytes) || !patience.Wait()) {
      (void)account_->Refuse(request.bytes);
      break;
    }
  }
  return growth;
}

void ReportedStore::Cancel(const Growth& growth) {
  if (account_ == nullptr) return;
  EndSole(growth);
  const guest::LockGuard guard(lock_);
  if (growth.reuses) freed_.Add(growth.asked, growth.stream);
  if (growth.held == 0) return;
  held_.store(held() - growth.held, std::memory_order_relaxed);
  account_->GiveBack(growth.held);
  account_->EndRoom(growth.held);
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
  const bool has_grown = reserved > before;
  if (others == 0 && has_grown) growth_rule_.Learn(growth.asked, reserved - before);
  // What was cut up instead of a block that was to be reused cannot be named.
  if (!has_grown && !growth.reuses) freed_.Clear();
  if (has_grown && growth.reuses) freed_.Add(growth.asked, growth.stream);
  // Others in flight may have made it grow, and hold the bytes for that.
  const uint64_t needed = reserved > have + others ? reserved - others : Lesser(reserved, have);
  const bool fits = needed <= have || account_->TryCharge(needed - have);
  charged_.store(fits ? needed : have, std::memory_order_relaxed);
  if (needed < have) account_->GiveBack(have - needed);
  account_->EndRoom(growth.held);
  EndSole(growth);
  return fits;
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

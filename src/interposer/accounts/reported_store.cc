#include "interposer/accounts/reported_store.h"

#include "interposer/session/patience.h"
#include "interposer/session/session.h"

namespace warpshare::interposer {

namespace {

uint64_t Lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }
uint64_t Less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

}  // namespace

void ReportedStore::Open(const Description& store) {
  const guest::LockGuard asking(lock_);
  const guest::LockGuard guard(brief_);
  account_ = store.account;
  reader_.store(store.account == nullptr ? nullptr : store.reader, std::memory_order_relaxed);
  trimmer_ = store.trimmer;
  handle_.store(store.handle, std::memory_order_relaxed);
  assumed_lump_ = store.assumed_lump;
  charged_.store(0, std::memory_order_relaxed);
  users_ = {};
  held_ = 0;
  freed_.Clear();
}

ReportedStore::Users ReportedStore::users() {
  const guest::LockGuard guard(brief_);
  return users_;
}

void ReportedStore::BeginAgain(Growth& growth) {
  growth = {.asked = growth.asked, .stream = growth.stream, .grant = Grant::kNeedsRoom};
  const guest::LockGuard guard(brief_);
  ++users_.in_flight;
}

bool ReportedStore::Drop() {
  const guest::LockGuard guard(brief_);
  return --users_.count == 0 && users_.has_ended;
}

bool ReportedStore::End() {
  const guest::LockGuard guard(brief_);
  users_.has_ended = true;
  users_.had_several = users_.count > 1;
  return users_.count == 0;
}

bool ReportedStore::TakeFreed(Growth& growth) {
  const guest::LockGuard guard(brief_);
  growth.reuses = growth.reuses || HasTakenFreed(growth);
  return growth.reuses;
}

bool ReportedStore::Hold(uint64_t bytes, Growth& growth) {
  if (!account_->TryHoldRoom(bytes)) return false;
  const guest::LockGuard guard(brief_);
  held_ += bytes;
  growth.held = bytes;
  growth.grant = Grant::kFromStore;
  growth.reuses = growth.reuses || HasTakenFreed(growth);
  return true;
}

bool ReportedStore::ShrinkTo(uint64_t reserved) {
  if (reserved >= charged()) return false;
  account_->GiveBack(charged() - reserved);
  charged_.store(reserved, std::memory_order_relaxed);
  const guest::LockGuard guard(brief_);
  freed_.Clear();
  return true;
}

// What the store holds and does not use; what it has let go is given back on the way.
uint64_t ReportedStore::Unused() {
  if (charged() == 0) return 0;
  const guest::LockGuard asking(lock_);
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

void ReportedStore::TryMakeRoom(Otherwise otherwise, Growth& growth) {
  const uint64_t bytes = growth.asked;
  growth.grant = Grant::kRefused;
  const uint64_t most = growth_rule_.Most(bytes, assumed_lump_);
  if (Hold(most, growth)) [[likely]]
    return;
  if (trimmer_ != nullptr && TakeFreed(growth)) {
    growth.grant = Grant::kFromStore;
    return;
  }
  // All that it could let go of would not do.
  if (!account_->HasRoomFor(Less(bytes, charged()))) return;
  if (TrimUnused() && Hold(most, growth)) return;
  if (otherwise == Otherwise::kElsewhere && account_->HasRoomFor(bytes)) {
    growth.grant = Grant::kElsewhere;
  } else if (trimmer_ == nullptr) {
    ServeFromUnused(otherwise, most, growth);
  }
}

// For a store that cannot be trimmed.
void ReportedStore::ServeFromUnused(Otherwise otherwise, uint64_t most, Growth& growth) {
  sole_.Acquire();
  const uint64_t unused = Unused();
  growth.is_sole = !Hold(most, growth) && unused >= growth.asked;
  if (growth.is_sole) {
    growth.grant = Grant::kFromStore;
    return;
  }
  sole_.Release();
  if (growth.grant == Grant::kRefused && otherwise == Otherwise::kLeast) {
    (void)Hold(growth_rule_.Least(growth.asked), growth);
  }
}

void ReportedStore::MakeRoom(Otherwise otherwise, Growth& growth) {
  TryMakeRoom(otherwise, growth);
  if (growth.grant != Grant::kRefused) return;
  Session& session = *Session::Current();
  session.Sweep();
  Patience patience(session);
  while (true) {
    TryMakeRoom(otherwise, growth);
    if (growth.grant != Grant::kRefused) return;
    if (account_->MayFit(growth.asked) && patience.Wait()) continue;
    (void)account_->Refuse(growth.asked);
    return;
  }
}

// What was held for the call and is not charged.
void ReportedStore::EndRoom(const Growth& growth) {
  if (growth.held != 0) account_->EndRoom(growth.held);
  if (growth.is_sole) sole_.Release();
}

void ReportedStore::GiveRoomBack(const Growth& growth) {
  if (growth.held != 0) account_->GiveBack(growth.held);
  EndRoom(growth);
}

void ReportedStore::Cancel(const Growth& growth) {
  {
    const guest::LockGuard guard(brief_);
    --users_.in_flight;
    held_ -= growth.held;
    if (growth.reuses) freed_.Add(growth.asked, growth.stream);
  }
  GiveRoomBack(growth);
}

// Ends the call among those in flight, and tells what the others hold. `grown`: by how much the
// store has, as far as nobody was charged for that yet.
uint64_t ReportedStore::LeaveFlight(const Growth& growth, uint64_t grown) {
  const guest::LockGuard guard(brief_);
  --users_.in_flight;
  held_ -= growth.held;
  if (users_.in_flight == 0 && grown != 0) growth_rule_.Learn(growth.asked, grown);
  // What was cut up instead of a block that was to be reused cannot be named.
  if (grown == 0 && !growth.reuses) freed_.Clear();
  if (grown != 0 && growth.reuses) freed_.Add(growth.asked, growth.stream);
  return held_;
}

bool ReportedStore::Settle(const Growth& growth) {
  const guest::LockGuard asking(lock_);
  const uint64_t have = charged() + growth.held;
  uint64_t reserved = have;
  (void)Read(Quantity::kReserved, reserved);
  const uint64_t others = LeaveFlight(growth, Less(reserved, charged()));
  if (account_ == nullptr) return true;
  // Others in flight may have made it grow, and hold the bytes for that.
  const uint64_t needed = reserved > have + others ? reserved - others : Lesser(reserved, have);
  const bool fits = needed <= have || account_->TryCharge(needed - have);
  charged_.store(fits ? needed : have, std::memory_order_relaxed);
  if (needed < have) account_->GiveBack(have - needed);
  EndRoom(growth);
  return fits;
}

void ReportedStore::Recount() {
  if (account_ == nullptr) return;
  const guest::LockGuard asking(lock_);
  uint64_t reserved = 0;
  if (!Read(Quantity::kReserved, reserved) || ShrinkTo(reserved)) return;
  uint64_t held = 0;
  {
    const guest::LockGuard guard(brief_);
    held = held_;
  }
  const uint64_t have = charged() + held;
  if (reserved <= have) return;
  account_->ChargeTaken(reserved - have);
  charged_.store(reserved - held, std::memory_order_relaxed);
}

bool ReportedStore::Shrink() {
  if (charged() == 0) return false;
  const guest::LockGuard asking(lock_);
  uint64_t reserved = 0;
  return Read(Quantity::kReserved, reserved) && ShrinkTo(reserved);
}

void ReportedStore::Pause() { Resume(nullptr); }

void ReportedStore::Resume(Reader reader) {
  const guest::LockGuard asking(lock_);
  reader_.store(reader, std::memory_order_relaxed);
}

uint64_t ReportedStore::Close() {
  const guest::LockGuard asking(lock_);
  const guest::LockGuard guard(brief_);
  handle_.store(0, std::memory_order_relaxed);
  return charged_.exchange(0, std::memory_order_relaxed);
}

}  // namespace warpshare::interposer

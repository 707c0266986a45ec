#include "interposer/accounts/reported_store.h"

#include "interposer/guest/kernel.h"
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
  growth.awaits = users_.trusting != 0;
  ++begun_;
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

bool ReportedStore::TrustFreed(Growth& growth) {
  const guest::LockGuard guard(brief_);
  growth.reuses = growth.reuses || HasTakenFreed(growth);
  if (!growth.reuses) return false;
  growth.trusts = true;
  ++users_.trusting;
  growth.grant = Grant::kFromStore;
  return true;
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

// Not while a call trusts in a block that may be gone. Who begins one later finds none to trust in.
bool ReportedStore::ShrinkTo(uint64_t reserved) {
  if (reserved >= charged()) return false;
  {
    const guest::LockGuard guard(brief_);
    if (users_.trusting != 0) return false;
    freed_.Clear();
  }
  account_->GiveBack(charged() - reserved);
  charged_.store(reserved, std::memory_order_relaxed);
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
  if (trimmer_ != nullptr && TrustFreed(growth)) return;
  // All that it could let go of would not do.
  if (!account_->HasRoomFor(Less(bytes, charged()))) return;
  if (TrimUnused() && Hold(most, growth)) return;
  if (otherwise == Otherwise::kElsewhere && account_->HasRoomFor(bytes)) {
    growth.grant = Grant::kElsewhere;
  } else if (trimmer_ == nullptr || otherwise == Otherwise::kNothing) {
    ServeFromUnused(otherwise, most, growth);
  }
}

// By what would do: without it nothing is worth waiting for.
uint64_t ReportedStore::LeastRoom(Otherwise otherwise, uint64_t asked) const {
  switch (otherwise) {
    case Otherwise::kElsewhere:
      return asked;
    case Otherwise::kLeast:
      return growth_rule_.Least(asked);
    case Otherwise::kNothing:
      return growth_rule_.Most(asked, assumed_lump_);
  }
  return asked;
}

// For a store that cannot be trimmed, or where only what is left of lumps in use can serve.
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

// It could take the very block: then that call makes the store grow and nobody holds what for. Who
// begins while this one waits does not trust, as this one is in flight.
void ReportedStore::AwaitTrusting() {
  Patience patience(*Session::Current(), Patience::kStreamNs);
  while (users().trusting != 0 && patience.Wait()) {
  }
}

void ReportedStore::MakeRoom(Otherwise otherwise, Growth& growth) {
  if (growth.awaits) AwaitTrusting();
  TryMakeRoom(otherwise, growth);
  if (growth.grant != Grant::kRefused) return;
  Session& session = *Session::Current();
  session.Sweep();
  Patience patience(session);
  while (true) {
    TryMakeRoom(otherwise, growth);
    if (growth.grant != Grant::kRefused) return;
    if (account_->MayFit(LeastRoom(otherwise, growth.asked)) && patience.Wait()) continue;
    (void)account_->Refuse(growth.asked);
    return;
  }
}

// What was held for the call and is not charged.
void ReportedStore::EndRoom(const Growth& growth) {
  if (growth.held != 0) account_->EndRoom(growth.held);
  if (growth.is_sole) sole_.Release();
}

void ReportedStore::Cancel(const Growth& growth) {
  {
    const guest::LockGuard guard(brief_);
    LeaveFlight(growth);
    if (growth.reuses) freed_.Add(growth.asked, growth.stream);
  }
  GiveRoomBack(growth);
}

// From what the store is said to hold after a call, which is in flight no more.
ReportedStore::Others ReportedStore::Learn(const Growth& growth, uint64_t reserved) {
  const uint64_t before = charged();
  const bool has_grown = reserved > before;
  const guest::LockGuard guard(brief_);
  LeaveFlight(growth);
  if (users_.in_flight == 0 && has_grown) growth_rule_.Learn(growth.asked, reserved - before);
  // What was cut up instead of a block that was to be reused cannot be named, nor what was let go.
  if (reserved < before || (!has_grown && !growth.reuses)) freed_.Clear();
  if (has_grown && growth.reuses) freed_.Add(growth.asked, growth.stream);
  return {.held = held_, .trust = users_.trusting != 0};
}

bool ReportedStore::Settle(const Growth& growth) {
  const guest::LockGuard asking(lock_);
  const uint64_t before = charged();
  const uint64_t have = before + growth.held;
  uint64_t reserved = have;
  (void)Read(Quantity::kReserved, reserved);
  const Others others = Learn(growth, reserved);
  if (account_ == nullptr) return true;
  if (others.trust && reserved < before) reserved = before;
  // Others in flight may have made it grow, and hold the bytes for that.
  const uint64_t needed =
      reserved > have + others.held ? reserved - others.held : Lesser(reserved, have);
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

// `is_over`: whether there is nothing to wait for.
bool ReportedStore::TryShrink(bool& is_over) {
  const guest::LockGuard asking(lock_);
  uint64_t reserved = 0;
  is_over = !Read(Quantity::kReserved, reserved) || reserved >= charged();
  return !is_over && ShrinkTo(reserved);
}

// Waits for a call that trusts in a block that may be gone: two milliseconds at most, as it may
// wait for whoever shrinks. It gives back what is left over when it is settled.
bool ReportedStore::Shrink() {
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 50'000};
  constexpr int kLooks = 40;
  if (charged() == 0) return false;
  bool is_over = false;
  for (int look = 0; look < kLooks; ++look) {
    if (TryShrink(is_over)) return true;
    if (is_over) break;
    guest::SystemCall(SYS_nanosleep, guest::Word(&kPause));
  }
  return false;
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

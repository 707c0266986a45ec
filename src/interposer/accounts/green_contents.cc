#include "interposer/accounts/green_contents.h"

#include "interposer/accounts/accounts.h"
#include "interposer/accounts/charged.h"
#include "interposer/accounts/late_code.h"
#include "interposer/accounts/linear.h"

namespace warpshare::interposer {

namespace {

bool IsAny(uint64_t, const Live&) { return true; }

void PutBack(DenseLiveTable& from, LiveTable& to, CUcontext owner) {
  from.TakeIf(IsAny, [&to, owner](uint64_t key, const Live& live) {
    Live kept = live;
    if (owner != nullptr) {
      key = KeyWithOwner(key, live, OwnerOf(owner));
      kept.owner = OwnerOf(owner);
    }
    if (!to.PutBack(key, kept)) Bury(kept);
  });
}

void BuryAll(DenseLiveTable& table) {
  table.TakeIf(IsAny, [](uint64_t, const Live& live) { Bury(live); });
}

}  // namespace

GreenContents::GreenContents(Tables& tables, const Place& place, uint64_t own_bytes)
    : tables_(tables), place_(place), own_bytes_(own_bytes), meter_(place) {
  if (place.context == nullptr) return;
  TakeOut(Accounts::OfProcess().code, tables_.code);
  TakeOut(Accounts::OfProcess().arrays, tables_.arrays);
  if (IsMeasured()) (void)meter_.Begin(own_bytes_ + bytes_, /*expected=*/0);
}

void GreenContents::TakeOut(LiveTable& from, DenseLiveTable& to) {
  const auto is_its = [this](uint64_t, const Live& live) {
    return live.owner == OwnerOf(place_.context) && live.card == place_.account->card();
  };
  from.TakeIf(is_its, [this, &to](uint64_t key, const Live& live) {
    Live dead;
    // Without memory to remember it in, it stays charged.
    if (to.Add(key, live, dead) != AnyLiveTable::Added::kNoMemory) bytes_ += live.bytes;
  });
}

// Of a pointer the driver can be asked. Returns what those that went were charged by themselves.
uint64_t GreenContents::BuryPointers() {
  uint64_t bytes = 0;
  const auto has_died = [this](uint64_t pointer, const Live& live) {
    const bool may_be_its = live.owner == OwnerOf(place_.context) ||
                            live.owner == OwnerOf(UnknownContext()) ||
                            live.kind == static_cast<uint8_t>(Charged::kPool);
    return may_be_its && IsUnknownPointer(pointer, CUDA_ERROR_INVALID_VALUE);
  };
  Accounts::pointers().TakeIf(has_died, [&bytes](uint64_t, const Live& live) {
    if (live.kind != static_cast<uint8_t>(Charged::kPool)) bytes += live.bytes;
    Bury(live);
  });
  return bytes;
}

void GreenContents::Measure(bool is_destroyed) {
  is_destroyed_ = is_destroyed;
  if (is_destroyed && IsMeasured()) (void)meter_.End(/*expected=*/0);
}

void GreenContents::End(CUcontext primary) {
  Accounts& accounts = Accounts::OfProcess();
  const uint64_t pointers = is_destroyed_ ? BuryPointers() : 0;
  const bool went =
      is_destroyed_ && meter_.is_exact() && meter_.fall() == own_bytes_ + bytes_ + pointers;
  if (went) {
    BuryAll(tables_.code);
    BuryAll(tables_.arrays);
  } else {
    PutBack(tables_.code, accounts.code, is_destroyed_ ? primary : nullptr);
    PutBack(tables_.arrays, accounts.arrays, is_destroyed_ ? primary : nullptr);
  }
}

}  // namespace warpshare::interposer

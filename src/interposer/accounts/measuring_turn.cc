#include "interposer/accounts/measuring_turn.h"

#include <linux/futex.h>

#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

constexpr long kLookNs = 5'000'000;  // between looks whether the holder still lives

// The low half of the holder's word; both halves change when a turn ends.
long FutexOf(const std::atomic<uint64_t>& word) { return guest::Word(&word); }

}  // namespace

bool MeasuringTurn::Take() {
  if (is_ours_.exchange(true, std::memory_order_acquire)) return false;
  if (TakeFromOthers()) return true;
  is_ours_.store(false, std::memory_order_release);
  return false;
}

bool MeasuringTurn::TakeFromOthers() {
  const uint64_t self = uint64_t{session_.slot()} + 1;
  uint64_t holder = holder_.load(std::memory_order_acquire);
  // Of this slot: left by a process that had it before.
  if (holder == self) return true;
  if (holder != 0 && !session_.IsSlotDead(static_cast<uint32_t>(holder - 1))) return false;
  return holder_.compare_exchange_strong(holder, self, std::memory_order_acq_rel);
}

void MeasuringTurn::Sleep() {
  const auto holder = static_cast<uint32_t>(holder_.load(std::memory_order_acquire));
  const timespec wait{.tv_sec = 0, .tv_nsec = kLookNs};
  guest::SystemCall(SYS_futex, FutexOf(holder_), FUTEX_WAIT, static_cast<long>(holder),
                    guest::Word(&wait));
}

void MeasuringTurn::End() {
  uint64_t self = uint64_t{session_.slot()} + 1;
  holder_.compare_exchange_strong(self, 0, std::memory_order_acq_rel);
  is_ours_.store(false, std::memory_order_release);
  guest::SystemCall(SYS_futex, FutexOf(holder_), FUTEX_WAKE, INT32_MAX);
}

}  // namespace warpshare::interposer

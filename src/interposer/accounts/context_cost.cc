#include "interposer/accounts/context_cost.h"

#include <linux/futex.h>
#include <time.h>

#include "interposer/guest/kernel.h"

namespace warpshare::interposer {

namespace {

constexpr uint64_t kMostWaitNs = 2'000'000'000;
constexpr long kLookNs = 5'000'000;  // between looks whether the prober still lives

// The low half of the prober's word; both halves change when a turn ends.
const void* FutexOf(const std::atomic<uint64_t>& word) { return &word; }

}  // namespace

bool ContextCost::TakeTurn() {
  const uint64_t self = uint64_t{session_.slot()} + 1;
  uint64_t prober = usage_.context_prober.load(std::memory_order_acquire);
  // Of this slot: left by a process that had it before.
  if (prober == self) return true;
  if (prober != 0 && !session_.IsSlotDead(static_cast<uint32_t>(prober - 1))) return false;
  return usage_.context_prober.compare_exchange_strong(prober, self, std::memory_order_acq_rel);
}

uint64_t ContextCost::Await() {
  const uint64_t start = guest::NanosecondsOf(CLOCK_MONOTONIC);
  while (true) {
    const uint64_t bytes = usage_.context_bytes.load(std::memory_order_acquire);
    if (bytes != 0 || TakeTurn()) return bytes;
    if (guest::NanosecondsOf(CLOCK_MONOTONIC) - start >= kMostWaitNs) return 0;
    const auto prober = usage_.context_prober.load(std::memory_order_acquire);
    const timespec wait{.tv_sec = 0, .tv_nsec = kLookNs};
    guest::SystemCall(SYS_futex, guest::Word(FutexOf(usage_.context_prober)), FUTEX_WAIT,
                      static_cast<long>(static_cast<uint32_t>(prober)), guest::Word(&wait));
  }
}

void ContextCost::Publish(uint64_t bytes) {
  if (bytes != 0) usage_.context_bytes.store(bytes, std::memory_order_release);
  uint64_t self = uint64_t{session_.slot()} + 1;
  usage_.context_prober.compare_exchange_strong(self, 0, std::memory_order_acq_rel);
  guest::SystemCall(SYS_futex, guest::Word(FutexOf(usage_.context_prober)), FUTEX_WAKE, INT32_MAX);
}

}  // namespace warpshare::interposer

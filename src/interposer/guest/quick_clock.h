// CLOCK_MONOTONIC for calls that cannot afford it: within two microseconds, at the cost of reading
// the processor's tick counter, a third of the clock's. Looks at the clock again after a
// millisecond; in its first one, and where ticks do not pass evenly, every time.
//
// Any thread, no lock waited for. Zero-initialised is valid.
#pragma once

#include <x86intrin.h>

#include <atomic>
#include <cstdint>

#include "interposer/guest/lock.h"
#include "interposer/guest/tick_line.h"

namespace warpshare::guest {

class QuickClock {
 public:
  uint64_t Now() {
    const uint64_t tick = __rdtsc();
    const uint32_t version = version_.load(std::memory_order_acquire);
    const uint64_t passed = tick - tick_.load(std::memory_order_relaxed);
    const uint64_t ns = ns_.load(std::memory_order_relaxed) +
                        (passed * rate_.load(std::memory_order_relaxed) >> TickLine::kRateBits);
    const bool is_fresh = passed < span_.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (is_fresh && version % 2 == 0 && version == version_.load(std::memory_order_relaxed))
        [[likely]]
      return ns;
    return Look();
  }

 private:
  uint64_t Look();
  void Learn(TickReading reading);

  std::atomic<uint32_t> version_;  // odd while the four below are written
  Lock writing_;
  // A TickLine, read while it may be written.
  std::atomic<uint64_t> tick_;
  std::atomic<uint64_t> ns_;
  std::atomic<uint64_t> rate_;
  std::atomic<uint64_t> span_;
  std::atomic<bool> is_uneven_;
};

}  // namespace warpshare::guest

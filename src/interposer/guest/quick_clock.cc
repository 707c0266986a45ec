#include "interposer/guest/quick_clock.h"

#include <cpuid.h>

#include "interposer/guest/kernel.h"

namespace warpshare::guest {

namespace {

constexpr uint64_t kGoodNs = 1'000'000;
// A rate is taken over at least this, for which reading both clocks at once is exact enough, and at
// most that, for which its product fits.
constexpr uint64_t kLeastNs = 100'000;
constexpr uint64_t kMostNs = 2'000'000'000;
// Reading both clocks takes some hundred ticks; who took longer was held up between them.
constexpr uint64_t kMostTicks = 2'000;

// "Invariant TSC": the same rate in all states, on all cores.
bool TicksEvenly() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1u << 8) != 0;
}

}  // namespace

uint64_t QuickClock::Look() {
  const uint64_t tick = __rdtsc();
  const uint64_t now_ns = guest::Now();
  const bool was_held_up = __rdtsc() - tick > kMostTicks;
  if (was_held_up || is_uneven_.load(std::memory_order_relaxed) || !writing_.TryAcquire())
    return now_ns;
  const uint64_t before_ns = ns_.load(std::memory_order_relaxed);
  const uint64_t passed_ns = now_ns - before_ns;
  const uint64_t passed = tick - tick_.load(std::memory_order_relaxed);
  const bool is_first = before_ns == 0;
  if (is_first && !TicksEvenly()) is_uneven_.store(true, std::memory_order_relaxed);
  if (is_first || passed_ns >= kLeastNs) {
    version_.fetch_add(1, std::memory_order_acq_rel);
    if (!is_first && passed_ns <= kMostNs && passed != 0) {
      rate_.store((passed_ns << kRateBits) / passed, std::memory_order_relaxed);
      span_.store(kGoodNs * passed / passed_ns, std::memory_order_relaxed);
    }
    tick_.store(tick, std::memory_order_relaxed);
    ns_.store(now_ns, std::memory_order_relaxed);
    version_.fetch_add(1, std::memory_order_release);
  }
  writing_.Release();
  return now_ns;
}

}  // namespace warpshare::guest

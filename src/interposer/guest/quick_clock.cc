#include "interposer/guest/quick_clock.h"

#include <cpuid.h>

#include "interposer/guest/kernel.h"

namespace warpshare::guest {

namespace {

// Reading both clocks takes some hundred ticks; who took longer was held up between them. At 2 GHz
// a reading is then off by at most half a microsecond.
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
  const uint64_t took = __rdtsc() - tick;
  if (took > kMostTicks || is_uneven_.load(std::memory_order_relaxed) || !writing_.TryAcquire())
    return now_ns;
  Learn({.tick = tick + took / 2, .ns = now_ns});
  writing_.Release();
  return now_ns;
}

void QuickClock::Learn(TickReading reading) {
  const TickLine before = {
      .from = {.tick = tick_.load(std::memory_order_relaxed),
               .ns = ns_.load(std::memory_order_relaxed)},
      .rate = rate_.load(std::memory_order_relaxed),
      .span = span_.load(std::memory_order_relaxed),
  };
  if (before.IsNew() && !TicksEvenly()) is_uneven_.store(true, std::memory_order_relaxed);
  const TickLine line = before.With(reading);
  if (line.from.ns == before.from.ns) return;
  version_.fetch_add(1, std::memory_order_acq_rel);
  tick_.store(line.from.tick, std::memory_order_relaxed);
  ns_.store(line.from.ns, std::memory_order_relaxed);
  rate_.store(line.rate, std::memory_order_relaxed);
  span_.store(line.span, std::memory_order_relaxed);
  version_.fetch_add(1, std::memory_order_release);
}

}  // namespace warpshare::guest

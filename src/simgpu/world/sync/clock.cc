#include "simgpu/world/sync/clock.h"

#include <sys/prctl.h>
#include <time.h>

#include <cerrno>

namespace simgpu::world {
namespace {

// A sleeping thread comes back up to this late on an idle core with precise timers; spinning covers
// it.
constexpr uint64_t kSpinNs = 60'000;

void Relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

void SleepUntil(uint64_t when_ns) {
  timespec when{.tv_sec = static_cast<time_t>(when_ns / 1'000'000'000),
                .tv_nsec = static_cast<long>(when_ns % 1'000'000'000)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) == EINTR) {
  }
}

// The thread may be the program's: its timer slack is given back.
void SleepPreciselyUntil(uint64_t when_ns) {
  const int slack = prctl(PR_GET_TIMERSLACK);
  if (slack > 1) prctl(PR_SET_TIMERSLACK, 1);
  SleepUntil(when_ns);
  if (slack > 1) prctl(PR_SET_TIMERSLACK, slack);
}

}  // namespace

uint64_t NowNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

void WaitUntil(uint64_t when_ns) {
  const uint64_t now = NowNs();
  if (now >= when_ns) return;
  if (when_ns - now > kSpinNs) SleepPreciselyUntil(when_ns - kSpinNs);
  while (NowNs() < when_ns) Relax();
}

void SleepPreciselyInThisThread() { prctl(PR_SET_TIMERSLACK, 1); }

}  // namespace simgpu::world

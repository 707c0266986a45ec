#include "bench/share/truth/timer_lateness.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include "simgpu/world/sync/clock.h"

namespace warpshare::bench {

namespace {

constexpr uint64_t kSleepNs =
    5 * kMs;  // one in a millisecond takes 3 % from a program that launches and waits

void StayOn(int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  (void)pthread_setaffinity_np(pthread_self(), sizeof(only), &only);
}

void GoBeforeOthers() {
  const sched_param least = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
  (void)pthread_setschedparam(pthread_self(), SCHED_FIFO, &least);
}

void SleepUntil(uint64_t when_ns) {
  const timespec when = {.tv_sec = static_cast<time_t>(when_ns / kSecond),
                         .tv_nsec = static_cast<long>(when_ns % kSecond)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, nullptr) != 0) {
  }
}

}  // namespace

TimerLateness::TimerLateness() {
  cpu_set_t ours;
  CPU_ZERO(&ours);
  if (sched_getaffinity(0, sizeof(ours), &ours) != 0) return;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &ours)) threads_.emplace_back([this, processor] { Run(processor); });
}

TimerLateness::~TimerLateness() {
  ends_ = true;
  for (std::thread& thread : threads_) thread.join();
}

void TimerLateness::Run(int processor) {
  StayOn(processor);
  GoBeforeOthers();
  simgpu::world::SleepPreciselyInThisThread();
  for (uint64_t due_ns = simgpu::world::NowNs() + kSleepNs; !ends_;) {
    SleepUntil(due_ns);
    const uint64_t now_ns = simgpu::world::NowNs();
    if (now_ns - due_ns > kOrdinaryNs) {
      const std::lock_guard lock(mutex_);
      pieces_.push_back({.from_ns = due_ns, .to_ns = now_ns, .busy_ns = now_ns - due_ns});
    }
    due_ns = now_ns + kSleepNs;
  }
}

BusySeries TimerLateness::series() const {
  const std::lock_guard lock(mutex_);
  return BusySeries(pieces_);
}

}  // namespace warpshare::bench

#include "bench/driver_calls/threads.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <thread>

#include "bench/driver_calls/figure.h"

namespace warpshare::driver_calls {

namespace {

constexpr int kSamples = 200;
constexpr uint64_t kAsleepNs = 300'000;  // by then whoever waits sleeps
constexpr uint64_t kShortSleepNs = 50'000;

double Microseconds(uint64_t from_ns, uint64_t to_ns) {
  return (static_cast<double>(to_ns) - static_cast<double>(from_ns)) / 1e3;
}

// As between processes: not FUTEX_PRIVATE_FLAG.
long Futex(std::atomic<uint32_t>& word, int operation, uint32_t value) {
  return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

// From just before the call that wakes up to the first instruction of who sleeps.
void MeasureWake() {
  std::atomic<uint32_t> word{0};
  std::atomic<uint64_t> awake_ns{0};
  std::vector<double> samples;
  std::thread sleeper([&] {
    for (uint32_t turn = 0; turn < kSamples; ++turn) {
      while (word.load(std::memory_order_acquire) == turn) Futex(word, FUTEX_WAIT, turn);
      awake_ns.store(load::NowNs(), std::memory_order_release);
    }
  });
  for (int i = 0; i < kSamples; ++i) {
    load::SleepUntil(load::NowNs() + kAsleepNs);
    const uint64_t woken_ns = load::NowNs();
    word.fetch_add(1, std::memory_order_release);
    Futex(word, FUTEX_WAKE, INT_MAX);
    while (awake_ns.load(std::memory_order_acquire) < woken_ns) std::this_thread::yield();
    samples.push_back(Microseconds(woken_ns, awake_ns.load(std::memory_order_relaxed)));
  }
  sleeper.join();
  Print("futex_wake", "us", std::move(samples));
}

void MeasureSleep() {
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) {
    const uint64_t due_ns = load::NowNs() + kShortSleepNs;
    load::SleepUntil(due_ns);
    samples.push_back(Microseconds(due_ns, load::NowNs()));
  }
  Print("sleep_of_50us_late_by", "us", std::move(samples));
}

}  // namespace

void MeasureThreads() {
  constexpr int kReadings = 100;
  timespec now{};
  PrintCallTime(
      "clock_gettime", kReadings, [] {}, [&] { clock_gettime(CLOCK_MONOTONIC, &now); }, [] {});
  MeasureWake();
  MeasureSleep();
}

}  // namespace warpshare::driver_calls

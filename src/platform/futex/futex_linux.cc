#include <linux/futex.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include "platform/futex/futex.h"

namespace warpshare::platform {

namespace {

// Linux 5.16; declared here so that it also builds with older headers.
constexpr long kFutexWaitv = 449;
constexpr uint32_t kFutex32 = 2;  // a shared futex of 32 bits
constexpr size_t kMostWaits = 128;
struct Waiter {
  uint64_t expected;
  uint64_t address;
  uint32_t flags;
  uint32_t reserved;
};

constexpr uint64_t kPollNs = 1'000'000;
constexpr uint64_t kSecond = 1'000'000'000;
constexpr unsigned long kTimerSlackNs = 1'000;  // instead of 50 us

timespec TimeOf(uint64_t ns) {
  return {.tv_sec = static_cast<time_t>(ns / kSecond), .tv_nsec = static_cast<long>(ns % kSecond)};
}

uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecond + static_cast<uint64_t>(now.tv_nsec);
}

// False: these words cannot be slept on.
bool Sleep(std::span<const FutexWait> waits, uint64_t deadline_ns) {
  if (waits.size() > kMostWaits || waits.empty()) return false;
  std::array<Waiter, kMostWaits> waiters{};
  std::ranges::transform(waits, waiters.begin(), [](const FutexWait& wait) {
    return Waiter{wait.expected, reinterpret_cast<uint64_t>(wait.word), kFutex32, 0};
  });
  const timespec deadline = TimeOf(deadline_ns);
  const long woken =
      syscall(kFutexWaitv, waiters.data(), waits.size(), 0, &deadline, CLOCK_MONOTONIC);
  return woken >= 0 || errno == EAGAIN || errno == ETIMEDOUT || errno == EINTR;
}

}  // namespace

void LinuxFutex::WakeAll(const std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void LinuxFutex::WaitAny(std::span<const FutexWait> waits, uint64_t deadline_ns) {
  if (Sleep(waits, deadline_ns)) return;
  const timespec until = TimeOf(std::min(deadline_ns, NowNs() + kPollNs));
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

void LinuxFutex::WakeMePrecisely() { prctl(PR_SET_TIMERSLACK, kTimerSlackNs); }

}  // namespace warpshare::platform

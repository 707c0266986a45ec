#include <linux/futex.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <iterator>
#include <vector>

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

constexpr uint64_t kPast = 1;
constexpr uint64_t kPollNs = 1'000'000;
constexpr uint64_t kSecond = 1'000'000'000;
constexpr int kNice = -10;
constexpr unsigned long kTimerSlackNs = 1'000;  // instead of 50 us

timespec TimeOf(uint64_t ns) {
  return {.tv_sec = static_cast<time_t>(ns / kSecond), .tv_nsec = static_cast<long>(ns % kSecond)};
}

uint64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * kSecond + static_cast<uint64_t>(now.tv_nsec);
}

enum class Slept : uint8_t { kWell, kOneIsMissing, kNot };

// At most kMostWaits words.
Slept Sleep(std::span<const FutexWait> waits, uint64_t deadline_ns) {
  if (waits.empty()) return Slept::kNot;
  std::array<Waiter, kMostWaits> waiters{};
  std::ranges::transform(waits, waiters.begin(), [](const FutexWait& wait) {
    return Waiter{wait.expected, reinterpret_cast<uint64_t>(wait.word), kFutex32, 0};
  });
  const timespec deadline = TimeOf(deadline_ns);
  const long woken =
      syscall(kFutexWaitv, waiters.data(), waits.size(), 0, &deadline, CLOCK_MONOTONIC);
  if (woken >= 0 || errno == EAGAIN || errno == ETIMEDOUT || errno == EINTR) return Slept::kWell;
  return errno == EFAULT ? Slept::kOneIsMissing : Slept::kNot;
}

bool IsThere(const FutexWait& wait) { return Sleep({&wait, 1}, kPast) != Slept::kOneIsMissing; }

}  // namespace

void LinuxFutex::WakeAll(const std::atomic<uint32_t>& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void LinuxFutex::WaitAny(std::span<const FutexWait> waits, uint64_t deadline_ns) {
  const std::span first = waits.first(std::min(waits.size(), kMostWaits));
  const uint64_t poll_ns = std::min(deadline_ns, NowNs() + kPollNs);
  Slept slept = Sleep(first, first.size() == waits.size() ? deadline_ns : poll_ns);
  if (slept == Slept::kOneIsMissing) {
    std::vector<FutexWait> there;
    std::ranges::copy_if(first, std::back_inserter(there), IsThere);
    slept = Sleep(there, poll_ns);
  }
  if (slept == Slept::kWell) return;
  const timespec until = TimeOf(poll_ns);
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
}

void LinuxFutex::WakeMePrecisely() {
  prctl(PR_SET_TIMERSLACK, kTimerSlackNs);
  const sched_param lowest = {.sched_priority = 1};
  if (sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &lowest) == 0) return;
  setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
}

}  // namespace warpshare::platform

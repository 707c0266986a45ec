#include "simgpu/world/sync/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <climits>

namespace simgpu::world {
namespace {

void WakeAll(std::atomic<uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

}  // namespace

void FutexWait(std::atomic<uint32_t>& word, uint32_t expected, uint64_t until_ns) {
  const timespec until{.tv_sec = static_cast<time_t>(until_ns / 1'000'000'000),
                       .tv_nsec = static_cast<long>(until_ns % 1'000'000'000)};
  // FUTEX_WAIT_BITSET, as its timeout is absolute and on CLOCK_MONOTONIC.
  syscall(SYS_futex, reinterpret_cast<uint32_t*>(&word), FUTEX_WAIT_BITSET, expected, &until,
          nullptr, FUTEX_BITSET_MATCH_ANY);
}

void FutexPost(std::atomic<uint32_t>& word) {
  word.fetch_add(1, std::memory_order_release);
  WakeAll(word);
}

void FutexSet(std::atomic<uint32_t>& word, uint32_t value) {
  word.store(value, std::memory_order_release);
  WakeAll(word);
}

}  // namespace simgpu::world

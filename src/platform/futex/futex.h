// Words in shared memory that others sleep on, or that we do.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

namespace warpshare::platform {

struct FutexWait {
  const std::atomic<uint32_t>* word;  // never read here: only the kernel looks at it
  uint32_t expected;                  // sleeps only while the word is this
};

class Futex {
 public:
  virtual ~Futex() = default;

  // Everybody who sleeps on the word, in whatever process.
  virtual void WakeAll(const std::atomic<uint32_t>& word) = 0;

  // Until one of the words was woken or is not as expected, or until the deadline
  // (CLOCK_MONOTONIC), or for no reason: callers look again. Of words that are not there, and of
  // more than 128, it is not told: with such, a wait ends within a millisecond.
  virtual void WaitAny(std::span<const FutexWait> waits, uint64_t deadline_ns) = 0;

  // Said once by a thread whose waits must end on time rather than save power: before other
  // programs' threads where the system lets it (real-time priority 1, else a better nice value).
  virtual void WakeMePrecisely() = 0;
};

class LinuxFutex final : public Futex {
 public:
  void WakeAll(const std::atomic<uint32_t>& word) override;
  void WaitAny(std::span<const FutexWait> waits, uint64_t deadline_ns) override;
  void WakeMePrecisely() override;
};

}  // namespace warpshare::platform

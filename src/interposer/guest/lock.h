// A lock of four bytes whose zero is "free": valid in zeroed memory, without a constructor, a TLS
// slot or libpthread. For threads of one process. Keep it in a ForkWiped object: a fork child then
// finds it free, whatever thread held it.
//
// Giving it back is a plain store and a look whether anybody waits. Whoever begins to wait in the
// few nanoseconds in which neither sees the other is not woken by that, and looks again by himself
// after a millisecond, then two, and so on: it happens too seldom to pay for an exchange at every
// release.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpshare::guest {

class alignas(uint32_t) Lock {
 public:
  void Acquire() {
    if (!TryAcquire()) [[unlikely]]
      AcquireSlowly();
  }
  bool TryAcquire() { return is_held_.exchange(1, std::memory_order_acquire) == 0; }
  // At this moment, by whomever.
  bool IsHeld() const { return is_held_.load(std::memory_order_acquire) != 0; }
  void Release() {
    is_held_.store(0, std::memory_order_release);
    if (waiting_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      WakeOne();
  }

 private:
  [[gnu::cold]] void AcquireSlowly();
  [[gnu::cold]] void WakeOne();

  // The two are one futex.
  std::atomic<uint16_t> is_held_{0};
  std::atomic<uint16_t> waiting_{0};
};
static_assert(sizeof(Lock) == sizeof(uint32_t));

// Of a Lock or a BriefLock.
template <typename AnyLock>
class LockGuard {
 public:
  explicit LockGuard(AnyLock& lock) : lock_(lock) { lock_.Acquire(); }
  ~LockGuard() { lock_.Release(); }
  LockGuard(const LockGuard&) = delete;
  LockGuard& operator=(const LockGuard&) = delete;

 private:
  AnyLock& lock_;
};

}  // namespace warpshare::guest

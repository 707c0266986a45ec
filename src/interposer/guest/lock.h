// A lock of four bytes whose zero is "free": valid in zeroed memory, without a constructor, a TLS
// slot or libpthread. For threads of one process. Keep it in a ForkWiped object: a fork child then
// finds it free, whatever thread held it.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpshare::guest {

class Lock {
 public:
  void Acquire() {
    uint32_t free = kFree;
    if (!state_.compare_exchange_strong(free, kHeld, std::memory_order_acquire)) AcquireSlowly();
  }
  bool TryAcquire() {
    uint32_t free = kFree;
    return state_.compare_exchange_strong(free, kHeld, std::memory_order_acquire);
  }
  // At this moment, by whomever.
  bool IsHeld() const { return state_.load(std::memory_order_acquire) != kFree; }
  void Release() {
    if (state_.exchange(kFree, std::memory_order_release) == kWaitedFor) WakeOne();
  }

 private:
  static constexpr uint32_t kFree = 0;
  static constexpr uint32_t kHeld = 1;
  static constexpr uint32_t kWaitedFor = 2;

  void AcquireSlowly();
  void WakeOne();

  std::atomic<uint32_t> state_{kFree};
};

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

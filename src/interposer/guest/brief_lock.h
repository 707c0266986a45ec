// A lock for a few instructions at a time, such as one probe of a table. Giving it back is a plain
// store. Nobody can be woken by that, so whoever finds it taken for long, by a thread that was
// interrupted in between, looks again after short sleeps.
//
// Most locks are only ever taken by one thread, and a locked operation is nearly all that taking
// one costs. So a lock belongs to the thread that takes it first, which from then on says that it
// is inside by a plain store and looks whether it is still its own. The first other thread ends
// that, for good: it says so, has the kernel make every thread of the process see it
// (membarrier(2), Linux 4.14; some microseconds), and waits until the owner is outside. Of the
// owner's store and look, then, either the store was seen, or the look sees that it is over.
// Where there is no such call, nobody owns a lock.
//
// Not for signal handlers. Zeroed memory is free and nobody's.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/guest/thread_self.h"

namespace warpshare::guest {

class BriefLock {
 public:
  // Says to the kernel that locks of this process will be owned; else the first lock that is taken
  // says it. It takes some microseconds while the process has one thread, and 16 ms once it has
  // more.
  static bool PrepareToOwn();

  void Acquire() {
    const uint64_t self = ThreadSelf();
    if (owner_.load(std::memory_order_relaxed) == self) [[likely]] {
      inside_.store(self, std::memory_order_relaxed);
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (owner_.load(std::memory_order_acquire) == self) [[likely]]
        return;
      inside_.store(kNoThread, std::memory_order_release);
    }
    AcquireShared();
  }
  void Release() {
    if (inside_.load(std::memory_order_relaxed) == ThreadSelf()) [[likely]]
      inside_.store(kNoThread, std::memory_order_release);
    else
      is_held_.store(0, std::memory_order_release);
  }

 private:
  // The owner of a lock that a second thread has come to.
  static constexpr uint64_t kEverybody = 1;

  void AcquireShared() {
    if (is_held_.exchange(1, std::memory_order_acquire) != 0) [[unlikely]]
      AwaitRelease();
    if (owner_.load(std::memory_order_relaxed) != kEverybody) [[unlikely]]
      Settle();
  }
  [[gnu::cold]] void AwaitRelease();
  [[gnu::cold]] void Settle();

  std::atomic<uint64_t> owner_{kNoThread};   // changed by who holds it as a shared one
  std::atomic<uint64_t> inside_{kNoThread};  // written by the owner alone
  std::atomic<uint32_t> is_held_{0};         // as a shared one
};

}  // namespace warpshare::guest

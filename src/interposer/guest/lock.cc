#include "interposer/guest/lock.h"

#include <errno.h>
#include <linux/futex.h>

#include "interposer/guest/kernel.h"

namespace warpshare::guest {

namespace {

// The word of a lock that is held, as the futex is seen by the kernel.
uint32_t HeldWord(uint16_t waiting) { return 1 | uint32_t{waiting} << 16; }

}  // namespace

// A word that another one changed meanwhile, who began or ceased to wait, is not slept on. Looks
// become rarer: a thousand threads that each look every millisecond leave the one that has the lock
// no processor.
void Lock::AcquireSlowly() {
  constexpr long kFirstLookNs = 1'000'000;
  constexpr long kMostLookNs = 32'000'000;
  timespec look{.tv_sec = 0, .tv_nsec = kFirstLookNs};
  waiting_.fetch_add(1);
  while (!TryAcquire()) {
    const uint16_t waiting = waiting_.load(std::memory_order_relaxed);
    const long result =
        SystemCall(SYS_futex, Word(this), FUTEX_WAIT_PRIVATE, HeldWord(waiting), Word(&look));
    if (result == -ETIMEDOUT && look.tv_nsec < kMostLookNs) look.tv_nsec *= 2;
  }
  waiting_.fetch_sub(1, std::memory_order_relaxed);
}

void Lock::WakeOne() { SystemCall(SYS_futex, Word(this), FUTEX_WAKE_PRIVATE, 1); }

}  // namespace warpshare::guest

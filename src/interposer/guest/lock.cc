#include "interposer/guest/lock.h"

#include <linux/futex.h>

#include "interposer/guest/kernel.h"

namespace warpshare::guest {

void Lock::AcquireSlowly() {
  while (state_.exchange(kWaitedFor, std::memory_order_acquire) != kFree) {
    SystemCall(SYS_futex, Word(&state_), FUTEX_WAIT_PRIVATE, kWaitedFor);
  }
}

void Lock::WakeOne() { SystemCall(SYS_futex, Word(&state_), FUTEX_WAKE_PRIVATE, 1); }

}  // namespace warpshare::guest

#include "interposer/guest/brief_lock.h"

#include "interposer/guest/kernel.h"

namespace warpshare::guest {

void BriefLock::AcquireSlowly() {
  constexpr int kLooks = 200;  // a microsecond or so: many times what the holder needs
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 20'000};
  for (int look = 1;; ++look) {
    if (is_held_.load(std::memory_order_relaxed) == 0 &&
        is_held_.exchange(1, std::memory_order_acquire) == 0) {
      return;
    }
    if (look % kLooks != 0) {
      __builtin_ia32_pause();
    } else {
      SystemCall(SYS_nanosleep, Word(&kPause));
    }
  }
}

}  // namespace warpshare::guest

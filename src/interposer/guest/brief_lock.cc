#include "interposer/guest/brief_lock.h"

#include <linux/membarrier.h>

#include "interposer/guest/kernel.h"

namespace warpshare::guest {

namespace {

// Asks again and again whether it is over: for a microsecond or so, many times what a holder needs,
// then with short sleeps in between.
template <typename IsOver>
void Await(IsOver is_over) {
  constexpr int kLooks = 200;
  constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 20'000};
  for (int look = 1; !is_over(); ++look) {
    if (look % kLooks != 0) {
      __builtin_ia32_pause();
    } else {
      SystemCall(SYS_nanosleep, Word(&kPause));
    }
  }
}

bool Membarrier(int command) { return SystemCall(SYS_membarrier, command) == 0; }

}  // namespace

bool BriefLock::PrepareToOwn() { return Membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED); }

void BriefLock::AwaitRelease() {
  Await([this] {
    return is_held_.load(std::memory_order_relaxed) == 0 &&
           is_held_.exchange(1, std::memory_order_acquire) == 0;
  });
}

// With the lock held as a shared one: makes it its own or, if it is another's, everybody's.
void BriefLock::Settle() {
  if (owner_.load(std::memory_order_relaxed) == kNoThread) {
    owner_.store(PrepareToOwn() ? ThreadSelf() : kEverybody, std::memory_order_relaxed);
    return;
  }
  owner_.store(kEverybody, std::memory_order_relaxed);
  // A program that forbade itself the call meanwhile: no store takes as long to be seen.
  constexpr timespec kLong{.tv_sec = 0, .tv_nsec = 1'000'000};
  if (!Membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) SystemCall(SYS_nanosleep, Word(&kLong));
  Await([this] { return inside_.load(std::memory_order_acquire) == kNoThread; });
}

}  // namespace warpshare::guest

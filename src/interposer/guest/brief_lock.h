// A lock for a few instructions at a time, such as one probe of a table. As guest::Lock, but giving
// it back is a plain store: half the price. Nobody can be woken by that, so whoever finds it taken
// for long, by a thread that was interrupted in between, looks again after short sleeps.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpshare::guest {

class BriefLock {
 public:
  void Acquire() {
    if (is_held_.exchange(1, std::memory_order_acquire) != 0) [[unlikely]]
      AcquireSlowly();
  }
  void Release() { is_held_.store(0, std::memory_order_release); }

 private:
  [[gnu::cold]] void AcquireSlowly();

  std::atomic<uint32_t> is_held_{0};
};

}  // namespace warpshare::guest

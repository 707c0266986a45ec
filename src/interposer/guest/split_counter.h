// A sum that all threads of a process add to, mostly the same one: that one, the first to add, has
// a word of its own, which nobody else writes, so that it needs no locked operation. A look at the
// sum while threads add sees some of what they add. Zeroed memory is 0.
//
// Not for signal handlers.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/guest/thread_self.h"

namespace warpshare::guest {

class SplitCounter {
 public:
  [[gnu::always_inline]] inline void Add(uint64_t amount) {
    if (owner_.load(std::memory_order_relaxed) != ThreadSelf()) [[unlikely]]
      return AddOfOther(amount);
    const uint64_t sum = of_owner_.load(std::memory_order_relaxed) + amount;
    of_owner_.store(sum, std::memory_order_relaxed);
  }
  uint64_t Sum() const {
    return of_owner_.load(std::memory_order_relaxed) + of_others_.load(std::memory_order_relaxed);
  }

 private:
  void AddOfOther(uint64_t amount) {
    uint64_t owner = kNoThread;
    if (owner_.load(std::memory_order_relaxed) == kNoThread &&
        owner_.compare_exchange_strong(owner, ThreadSelf(), std::memory_order_relaxed)) {
      return Add(amount);
    }
    of_others_.fetch_add(amount, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> owner_;
  std::atomic<uint64_t> of_owner_;  // written by the owner alone
  std::atomic<uint64_t> of_others_;
};

}  // namespace warpshare::guest

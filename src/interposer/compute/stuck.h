// Patience with work in flight that makes no progress: it may wait for what a held back call would
// submit (a stream that waits for a value, kernels that wait for each other). One call is let
// through after kStuckNs, the next after half of that, and soon all, until what is overdue ends:
// that other streams go on does not help who waits for it.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/compute/timing.h"

namespace warpshare::interposer {

class Stuck {
 public:
  // `first` names the oldest work in flight; `is_overdue`: it should have ended by now.
  bool LetsThrough(uint64_t first, bool is_overdue, uint64_t now_ns) {
    if (!is_overdue || first + 1 != first_plus_1_.load(std::memory_order_relaxed)) {
      first_plus_1_.store(first + 1, std::memory_order_relaxed);
      since_ns_.store(now_ns, std::memory_order_relaxed);
      patience_ns_.store(kStuckNs, std::memory_order_relaxed);
      return false;
    }
    const uint64_t patience_ns = patience_ns_.load(std::memory_order_relaxed);
    if (now_ns - since_ns_.load(std::memory_order_relaxed) < patience_ns) return false;
    since_ns_.store(now_ns, std::memory_order_relaxed);
    patience_ns_.store(patience_ns / 2, std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<uint64_t> first_plus_1_;  // 0: never asked
  std::atomic<uint64_t> since_ns_;
  std::atomic<uint64_t> patience_ns_;
};

}  // namespace warpshare::interposer

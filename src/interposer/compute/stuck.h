// Patience with work in flight that makes no progress: it may wait for what a held back call would
// submit (a stream that waits for a value, kernels that wait for each other). One call is let
// through after kStuckNs, the next after half of that, and soon all, until what is overdue ends:
// that other streams go on does not help who waits for it. More of what is overdue, behind it in
// its stream, waits kStuckNs each time: it may well be work that lasts that long, all of it.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/compute/timing.h"

namespace warpshare::interposer {

class Stuck {
 public:
  // `first` names the oldest work in flight; `is_overdue`: it should have ended by now;
  // `is_more_of_it`: so is the call.
  bool LetsThrough(uint64_t first, bool is_overdue, bool is_more_of_it, uint64_t now_ns) {
    if (!is_overdue || first + 1 != first_plus_1_.load(std::memory_order_relaxed)) {
      first_plus_1_.store(first + 1, std::memory_order_relaxed);
      begin_ns_.store(now_ns, std::memory_order_relaxed);
      since_ns_.store(now_ns, std::memory_order_relaxed);
      patience_ns_.store(kStuckNs, std::memory_order_relaxed);
      return false;
    }
    const uint64_t overdue_ns = now_ns - begin_ns_.load(std::memory_order_relaxed);
    const bool is_steady = is_more_of_it && overdue_ns < kStuckAtOneKindNs;
    const uint64_t patience_ns = patience_ns_.load(std::memory_order_relaxed);
    if (now_ns - since_ns_.load(std::memory_order_relaxed) < (is_steady ? kStuckNs : patience_ns))
      return false;
    since_ns_.store(now_ns, std::memory_order_relaxed);
    if (!is_steady) patience_ns_.store(patience_ns / 2, std::memory_order_relaxed);
    return true;
  }

 private:
  std::atomic<uint64_t> first_plus_1_;  // 0: never asked
  std::atomic<uint64_t> begin_ns_;      // since when it is overdue
  std::atomic<uint64_t> since_ns_;      // or since when the last call was let through
  std::atomic<uint64_t> patience_ns_;
};

}  // namespace warpshare::interposer

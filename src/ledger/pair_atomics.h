// 16-byte atomics on abi::Pair, written out because std::atomic of 16 bytes would call libatomic,
// which a guest library may not need (DT_NEEDED is libc alone).
#pragma once

#include <cstdint>

#include "abi/region/usage_page.h"

namespace warpshare::ledger {

inline bool operator==(const abi::Pair& a, const abi::Pair& b) {
  return a.low == b.low && a.high == b.high;
}

// Sequentially consistent. On failure `expected` holds what was there, read in one piece.
inline bool CompareExchange(abi::Pair& target, abi::Pair& expected, abi::Pair desired) {
#if defined(__x86_64__)
  bool done;
  asm volatile("lock cmpxchg16b %1"
               : "=@ccz"(done), "+m"(target), "+a"(expected.low), "+d"(expected.high)
               : "b"(desired.low), "c"(desired.high)
               : "memory");
  return done;
#elif defined(__aarch64__)
  uint64_t low, high;
  uint32_t failed;
  do {
    asm volatile("ldaxp %0, %1, %2" : "=&r"(low), "=&r"(high) : "Q"(target) : "memory");
    const bool equal = low == expected.low && high == expected.high;
    // A store of what was read proves that both halves were read in one piece.
    const uint64_t new_low = equal ? desired.low : low;
    const uint64_t new_high = equal ? desired.high : high;
    asm volatile("stlxp %w0, %2, %3, %1"
                 : "=&r"(failed), "=Q"(target)
                 : "r"(new_low), "r"(new_high)
                 : "memory");
    if (failed == 0 && !equal) {
      expected = {low, high};
      return false;
    }
  } while (failed != 0);
  return true;
#else
#error "the ledger needs a 16-byte compare-and-swap"
#endif
}

// Reads both halves in one piece. It writes the cache line: for rare paths only.
inline abi::Pair LoadWhole(abi::Pair& target) {
  abi::Pair seen{0, 0};
  CompareExchange(target, seen, seen);
  return seen;
}

// Reads the halves one after the other: what it returns may never have been in memory. Good for a
// first guess that a CompareExchange will confirm.
inline abi::Pair LoadHalves(const abi::Pair& target) {
  return {__atomic_load_n(&target.low, __ATOMIC_ACQUIRE),
          __atomic_load_n(&target.high, __ATOMIC_ACQUIRE)};
}

}  // namespace warpshare::ledger

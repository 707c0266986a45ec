// A rule that the driver follows and does not tell: what is asked for is rounded up to a power of
// two (the pitch of a row, the growth of a pool). What is known of it is learned from the driver's
// answers: the smallest and the largest power that explain them. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpshare::interposer {

// UINT64_MAX where that would overflow: more than any limit.
constexpr uint64_t RoundUp(uint64_t bytes, uint64_t power_of_two) {
  const uint64_t up = (bytes + power_of_two - 1) & ~(power_of_two - 1);
  return up < bytes ? UINT64_MAX : up;
}

class Rounding {
 public:
  // The most and the least that `bytes` may become. Before anything is learned the most is by
  // `assumed`.
  uint64_t Most(uint64_t bytes, uint64_t assumed) const {
    const Powers powers = Load();
    return RoundUp(bytes, powers.is_known ? uint64_t{1} << powers.largest : assumed);
  }
  uint64_t Least(uint64_t bytes) const {
    const Powers powers = Load();
    return RoundUp(bytes, powers.is_known ? uint64_t{1} << powers.smallest : 1);
  }

  // Whether there is nothing more to learn but that it was wrong.
  bool IsExact() const {
    const Powers powers = Load();
    return powers.is_known && powers.smallest == powers.largest;
  }

  // The driver made `got` of `asked`. An answer that contradicts the earlier ones replaces them.
  void Learn(uint64_t asked, uint64_t got) {
    if (asked == 0 || got < asked) return;
    const uint64_t added = got - asked;
    Powers seen{.is_known = true,
                .smallest = static_cast<uint8_t>(added == 0 ? 0 : 64 - __builtin_clzll(added)),
                .largest = static_cast<uint8_t>(__builtin_ctzll(got))};
    if (seen.smallest > seen.largest) return;  // no power explains it
    const Powers known = Load();
    if (known.is_known && known.smallest <= seen.largest && seen.smallest <= known.largest) {
      if (known.smallest > seen.smallest) seen.smallest = known.smallest;
      if (known.largest < seen.largest) seen.largest = known.largest;
    }
    powers_.store(seen, std::memory_order_relaxed);
  }

 private:
  struct Powers {  // exponents
    bool is_known = false;
    uint8_t smallest = 0;
    uint8_t largest = 0;
    uint8_t unused = 0;
  };
  static_assert(std::atomic<Powers>::is_always_lock_free);

  Powers Load() const { return powers_.load(std::memory_order_relaxed); }

  std::atomic<Powers> powers_{};
};

}  // namespace warpshare::interposer

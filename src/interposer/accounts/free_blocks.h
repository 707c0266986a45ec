// Blocks of a pool that were freed and, as far as is known, not given out again: by their size and
// the stream they were freed in. Who asks for such a block again gets it, or another free one, and
// the pool does not grow.
//
// Only a guess that errs to the safe side can be made of it: an entry may be lost (two that meet in
// the table), and whoever learns that the pool cut up a block it cannot name forgets them all.
// Not thread-safe.
#pragma once

#include <cstdint>

namespace warpshare::interposer {

class FreeBlocks {
 public:
  void Add(uint64_t bytes, uint64_t stream) {
    Entry& entry = EntryOf(bytes, stream);
    if (!entry.Is(bytes, stream, age_)) {
      entry = {.bytes = bytes, .stream = stream, .age = age_, .count = 0};
    }
    ++entry.count;
    has_any_ = true;
  }

  // Before the lock is taken that the others are called under.
  void Prefetch(uint64_t bytes, uint64_t stream) { __builtin_prefetch(&EntryOf(bytes, stream), 1); }

  // True: there was one, and it counts as given out.
  bool Take(uint64_t bytes, uint64_t stream) {
    Entry& entry = EntryOf(bytes, stream);
    if (!entry.Is(bytes, stream, age_) || entry.count == 0) return false;
    --entry.count;
    return true;
  }

  // As often as a pool cuts up a block: no entry is touched.
  void Clear() {
    age_ += has_any_ ? 1 : 0;
    has_any_ = false;
  }

 private:
  static constexpr uint32_t kBits = 6;

  struct Entry {
    uint64_t bytes;
    uint64_t stream;
    uint64_t age;  // nothing, unless it is of now
    uint64_t count;

    bool Is(uint64_t other_bytes, uint64_t other_stream, uint64_t now) const {
      return bytes == other_bytes && stream == other_stream && age == now;
    }
  };

  Entry& EntryOf(uint64_t bytes, uint64_t stream) {
    constexpr uint64_t kGolden = 0x9E37'79B9'7F4A'7C15;  // spreads neighbours (Fibonacci hashing)
    return entries_[((bytes * kGolden) ^ (stream * kGolden)) >> (64 - kBits)];
  }

  uint64_t age_ = 0;
  bool has_any_ = false;  // perhaps
  Entry entries_[1 << kBits] = {};
};

}  // namespace warpshare::interposer

// What has been met before, by keys that are asked for at every call: a look and a comparison. It
// forgets, when another key takes the place, so who needs to know for sure asks a LiveTable next.
// Zeroed memory is valid and has seen nothing. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpshare::interposer {

class Seen {
 public:
  // `key` is never 0.
  bool Has(uint64_t key) const {
    return places_[PlaceOf(key)].load(std::memory_order_relaxed) == key;
  }
  void Add(uint64_t key) { places_[PlaceOf(key)].store(key, std::memory_order_relaxed); }
  void Drop(uint64_t key) {
    uint64_t known = key;
    places_[PlaceOf(key)].compare_exchange_strong(known, 0, std::memory_order_relaxed);
  }
  void Clear() {
    for (std::atomic<uint64_t>& place : places_) place.store(0, std::memory_order_relaxed);
  }

 private:
  // More kernels than programs launch in a loop; 8 KiB.
  static constexpr unsigned kPlaceBits = 10;
  static unsigned PlaceOf(uint64_t key) {
    return static_cast<unsigned>((key * 0x9e3779b97f4a7c15) >> (64 - kPlaceBits));
  }

  std::atomic<uint64_t> places_[1 << kPlaceBits];
};

}  // namespace warpshare::interposer

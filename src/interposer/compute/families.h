// What one function costs in a shape that was never seen, by a shape of it that was: with more
// threads in proportion, with fewer the same. Rather too much than too little, so that what is in
// flight stays bounded; and no reason to wait until it was timed. Programs whose shapes change with
// their input launch new ones all the time.
//
// Any thread, no lock: two that enter functions at the same place lose one of them.
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/compute/cost_table.h"
#include "interposer/compute/work.h"

namespace warpshare::interposer {

class Families {
 public:
  // `cost` is that of the work, which was never timed. 0: no shape of the function was, either.
  uint64_t PriceOf(const Work& work, const Cost& cost) {
    if (work.function == nullptr) return 0;
    const uint64_t name = work::Mix(reinterpret_cast<uint64_t>(work.function), 5) | 1;
    Family& family = families_[name >> kDropBits];
    const Cost* known = family.cost.load(std::memory_order_acquire);
    const uint64_t threads = family.threads.load(std::memory_order_relaxed);
    const bool is_known = family.name.load(std::memory_order_relaxed) == name && known != nullptr &&
                          known->samples() != 0 && threads != 0;
    if (!is_known || known == &cost) {
      family.name.store(name, std::memory_order_relaxed);
      family.threads.store(work.threads, std::memory_order_relaxed);
      family.cost.store(&cost, std::memory_order_release);
      return 0;
    }
    return work.threads <= threads ? known->ns() : Times(known->ns(), work.threads / threads + 1);
  }

 private:
  static constexpr uint32_t kBits = 9;
  static constexpr uint32_t kDropBits = 64 - kBits;
  static constexpr uint64_t kMostNs = 100'000'000;  // in flight alone at the latest then

  struct Family {
    std::atomic<uint64_t> name;  // 0: free
    std::atomic<uint64_t> threads;
    std::atomic<const Cost*> cost;
  };

  static uint64_t Times(uint64_t ns, uint64_t times) {
    return times < kMostNs / (ns + 1) ? ns * times : kMostNs;
  }

  Family families_[1u << kBits];
};

}  // namespace warpshare::interposer

// What the kernels of one function cost by how many threads they have, for shapes that were never
// timed: a straight line through those that were, of which the latest count most. Programs whose
// shapes change with their input launch new ones all the time, and none of them may have to wait
// until it was timed.
//
// NsOf: any thread, no lock. Of, Teach: one thread at a time for each card, whose functions they
// are (Laps::lock()).
#pragma once

#include <atomic>
#include <cstdint>

#include "interposer/compute/work.h"

namespace warpshare::interposer {

class alignas(64) Family {
 public:
  // 0: nothing of it was timed.
  uint64_t NsOf(uint64_t threads) const;
  // Whether that is more than a guess from a single one.
  bool IsKnown() const { return samples_.load(std::memory_order_relaxed) >= kKnown; }

  // One with so many threads took so long; no less and no more than that.
  void Teach(uint64_t threads, uint64_t ns);
  void TeachBetween(uint64_t threads, uint64_t least_ns, uint64_t most_ns);

 private:
  friend class Families;

  // So many run at once on a card of 50 multiprocessors, about the smallest in a data centre: fewer
  // last as long.
  static constexpr uint64_t kAtOnce = 100'000;

  static constexpr uint32_t kKnown = 3;
  static constexpr uint32_t kMemory = 16;  // samples
  static constexpr uint64_t kLeastNs = 1'000;
  static constexpr uint64_t kMostNs = 100'000'000;  // in flight alone at the latest then

  static double SizeOf(uint64_t threads) {
    return static_cast<double>(threads > kAtOnce ? threads : kAtOnce);
  }

  std::atomic<const void*> function_;  // null: free
  std::atomic<double> threads_;        // the means of both ...
  std::atomic<double> ns_;
  std::atomic<double> slope_;  // ... and ns for each thread more; negative: not known
  std::atomic<uint32_t> samples_;
  double variance_ = 0;  // of the threads
  double covariance_ = 0;
};

class Families {
 public:
  // Null: no shape of its function was ever timed, or it is no kernel.
  const Family* Find(const Work& work) const;

  // To be taught; null: it is no kernel. Where there is no place, the one that is known least goes.
  Family* Of(const Work& work);

 private:
  static constexpr uint32_t kBits = 12;
  static constexpr uint32_t kFamilies = 1u << kBits;
  static constexpr uint32_t kProbes = 8;

  static uint32_t Home(const void* function) {
    return static_cast<uint32_t>(work::Mix(reinterpret_cast<uint64_t>(function), 5) >>
                                 (64 - kBits));
  }
  Family families_[kFamilies];
};

}  // namespace warpshare::interposer

// What the submissions of a tenant of several busy processes cost, all in all, beside what they are
// thought to cost. What one process measures has the others' work in it, so it cannot learn what
// its own takes; but what all were charged while the card was at it, all can see, and that must be
// the time which passed.
//
// Pure arithmetic. One thread at a time adds; factor() is anybody's.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "abi/region/compute.h"

namespace warpshare::interposer {

class Company {
 public:
  static constexpr uint32_t kOne = 1024;

  // By which the charges of this process are multiplied, in parts of kOne.
  uint32_t factor() const {
    const uint32_t factor = factor_.load(std::memory_order_relaxed);
    return factor == 0 ? kOne : factor;
  }
  uint64_t Priced(uint64_t ns) const { return ns * factor() / kOne; }

  // A lap with others: how long it lasted, and what all processes were charged meanwhile.
  void Add(uint64_t lasted_ns, uint64_t charged_ns) {
    lasted_ns_ += lasted_ns;
    charged_ns_ += charged_ns;
    timed_ns_ = 0;
    if (lasted_ns_ < kBlockNs || charged_ns_ == 0) return;
    // Half of what is missing: the others see it, too, and do their part.
    const uint64_t right = factor() * lasted_ns_ / charged_ns_;
    Set((factor() + (right < kMost ? right : kMost)) / 2);
    Forget();
  }

  // One of work that is timed for itself, and known: that says nothing here. Where there is nothing
  // else any more, what the factor made good is long over.
  void AddKnown(uint64_t lasted_ns) {
    timed_ns_ += lasted_ns;
    if (timed_ns_ >= kBlockNs) Alone();
  }

  // A lap with others, in which the card was busy for so long at least. What all processes were
  // charged since the lap before it, `charged_ever_ns` by now, was no less, or so much is owed;
  // `most_ns`, as they may have been charged for it before.
  uint64_t Owed(uint64_t busy_ns, uint64_t most_ns, uint64_t charged_ever_ns) {
    const uint64_t before_ns = std::exchange(charged_ever_ns_, charged_ever_ns);
    if (charged_ever_ns < before_ns) return 0;  // a process took the place of another
    const uint64_t charged_ns = charged_ever_ns - before_ns;
    owed_ns_ = owed_ns_ + busy_ns > charged_ns ? owed_ns_ + busy_ns - charged_ns : 0;
    const uint64_t owed_ns = owed_ns_ < most_ns ? owed_ns_ : most_ns;
    owed_ns_ -= owed_ns;
    if (owed_ns_ > abi::kMostAheadNs) owed_ns_ = abi::kMostAheadNs;
    charged_ever_ns_ += owed_ns;
    return owed_ns;
  }

  // A lap without: what it took is known as it is.
  void Alone() {
    if (factor() == kOne) return;
    Set(kOne);
    Forget();
  }

 private:
  // Far more than may be in flight: what is submitted in a lap is not what is done in it.
  static constexpr uint64_t kBlockNs = 32'000'000;
  // Never less than is known: laps may last shorter than all were charged for, as copies run beside
  // kernels, and a thread that waits for its work begins the next lap behind others' queue.
  static constexpr uint64_t kLeast = kOne;
  static constexpr uint64_t kMost = kOne * 32;

  void Set(uint64_t factor) {
    factor_.store(static_cast<uint32_t>(factor < kLeast ? kLeast : factor),
                  std::memory_order_relaxed);
  }
  void Forget() {
    lasted_ns_ = 0;
    charged_ns_ = 0;
    timed_ns_ = 0;
  }

  std::atomic<uint32_t> factor_;  // 0: never set
  uint64_t lasted_ns_ = 0;
  uint64_t charged_ns_ = 0;
  uint64_t timed_ns_ = 0;  // of laps since then that AddKnown is told of
  uint64_t owed_ns_ = 0;
  uint64_t charged_ever_ns_ = 0;  // at the last lap
};

}  // namespace warpshare::interposer

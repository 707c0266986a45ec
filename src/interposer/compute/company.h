// What the laps of a process say of its tenant's prices while other processes have work, too. What
// one process measures has the others' work in it; but what all were charged while the card was at
// it, all can see, and that must be the time which passed.
//
// Pure arithmetic. One thread at a time.
#pragma once

#include <cstdint>
#include <utility>

#include "abi/region/compute.h"

namespace warpshare::interposer {

class Company {
 public:
  static constexpr uint64_t kOne = 1024;

  // The card was busy for so long, and so much was charged for that. After a while: the one by the
  // other, in parts of kOne, of all since then; 0 meanwhile.
  uint64_t Ratio(uint64_t busy_ns, uint64_t charged_ns) {
    busy_ns_ += busy_ns;
    charged_ns_ += charged_ns;
    if (busy_ns_ < kBlockNs) return 0;
    const uint64_t ratio =
        charged_ns_ < busy_ns_ / kMost ? kMost * kOne : busy_ns_ * kOne / charged_ns_;
    busy_ns_ = 0;
    charged_ns_ = 0;
    return ratio == 0 ? 1 : ratio;
  }

  // A lap in which the card was busy for so long at least. What all processes were charged since
  // the lap before it, `charged_ever_ns` by now, was no less, or so much is owed; `most_ns`, as
  // they may have been charged for it before.
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

 private:
  // Far more than may be in flight: what is charged in a while is not what is done in it.
  static constexpr uint64_t kBlockNs = 32'000'000;
  static constexpr uint64_t kMost = 32;

  uint64_t busy_ns_ = 0;
  uint64_t charged_ns_ = 0;
  uint64_t owed_ns_ = 0;
  uint64_t charged_ever_ns_ = 0;  // at the last lap
};

}  // namespace warpshare::interposer

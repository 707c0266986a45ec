// The pool that cuMemAllocAsync takes from, by card: asked for once, as it changes only by calls
// that the epoch follows (ContextDevices::Forget).
#pragma once

#include <atomic>
#include <cstdint>

#include "abi/driver/cuda_handles.h"
#include "abi/region/limits_page.h"

namespace warpshare::interposer {

class CurrentPools {
 public:
  // Null: not known.
  CUmemoryPool Find(uint32_t card, uint32_t epoch) const {
    const uint64_t known =
        card < abi::kMaxCards ? of_card_[card].load(std::memory_order_acquire) : 0;
    return known >> 48 == (epoch & 0xffff) ? reinterpret_cast<CUmemoryPool>(known & kPoolMask)
                                           : nullptr;
  }
  // `epoch` as it was before the driver was asked.
  void Remember(uint32_t card, CUmemoryPool pool, uint32_t epoch) {
    const auto key = reinterpret_cast<uint64_t>(pool);
    if (card >= abi::kMaxCards || (key & ~kPoolMask) != 0) return;
    of_card_[card].store(key | uint64_t{epoch} << 48, std::memory_order_release);
  }

 private:
  static constexpr uint64_t kPoolMask = (uint64_t{1} << 48) - 1;

  std::atomic<uint64_t> of_card_[abi::kMaxCards];  // pool in the low 48 bits, epoch above
};

}  // namespace warpshare::interposer

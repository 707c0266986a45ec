// Every address range this process has from the driver, or registered with it. One lock around
// an AllocationIndex; all functions are thread-safe and answer with copies.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "simgpu/cuda/memory/allocation.h"
#include "simgpu/cuda/memory/allocation_index.h"

namespace simgpu::cuda {

class Context;

// Which origins a call is meant for.
class Origins {
 public:
  constexpr Origins(std::initializer_list<Origin> origins) {
    for (const Origin origin : origins) mask_ |= 1u << static_cast<unsigned>(origin);
  }
  constexpr bool Has(Origin origin) const {
    return (mask_ >> static_cast<unsigned>(origin) & 1) != 0;
  }

 private:
  uint32_t mask_ = 0;
};

class AllocationMap {
 public:
  // Never destroyed: the executor may still run when the program ends.
  static AllocationMap& Instance();

  // Gives it a buffer id. False when it overlaps another range.
  bool Insert(Allocation allocation);

  // The same for what `context` shall give back when it ends.
  bool InsertIn(Context& context, Allocation allocation);

  // Removes the range that begins at `base`. Nothing when there is none, or of another origin.
  std::optional<Allocation> Take(uintptr_t base, Origins origins);

  std::optional<Allocation> Find(uintptr_t address);

  // Changes the range that holds the address, under the lock. False when there is none.
  template <class Change>
  bool Update(uintptr_t address, Change change) {
    const std::lock_guard lock(mutex_);
    Allocation* const found = index_.Find(address);
    if (found == nullptr) return false;
    change(*found);
    return true;
  }

  // All ranges that `match` accepts, taken out.
  template <class Match>
  std::vector<Allocation> TakeAll(Match match) {
    std::vector<Allocation> taken;
    const std::lock_guard lock(mutex_);
    index_.ForEach([&](const Allocation& allocation) {
      if (match(allocation)) taken.push_back(allocation);
    });
    for (const Allocation& allocation : taken) index_.Erase(allocation.base, nullptr);
    return taken;
  }

  size_t size();

 private:
  void Reclaim(uint64_t context_id);

  std::mutex mutex_;
  AllocationIndex index_;
  uint64_t next_buffer_id_ = 1;
  std::unordered_set<uint64_t> contexts_;  // whose end we are told of
};

// Hands a taken range back to its owner.
void GiveBack(const Allocation& allocation);

}  // namespace simgpu::cuda
